"""The flush: keeps the facts of a range before the summariser folds it."""
