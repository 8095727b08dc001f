"""Threads: applies the platform's commands on `threads`: a thread's own settings, and its deletion."""
