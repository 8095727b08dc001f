"""Thresholds: asks for one compaction of a thread when enough was journaled since its last summary."""
