"""What every server of tatc's has: who is let in, how much is read, how long it waits."""
