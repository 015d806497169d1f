"""What dialogue is worth, by rules of our own: no words, words one way, and a dialogue."""
