"""The context builder: pinned entries, the summary and the recent window of a thread, ready for a model."""
