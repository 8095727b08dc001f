"""The summariser: folds the messages after the last summary into the next one, in the background."""
