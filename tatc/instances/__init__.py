"""EDH and TfD: instances made of recorded games, and models run on them."""
