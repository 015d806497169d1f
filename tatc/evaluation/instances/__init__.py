"""EDH and TfD instances: cut from recorded games, and played by Followers and models."""
