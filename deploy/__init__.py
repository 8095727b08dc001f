"""How it runs: the command, the composition of consumers, and the embedded servers."""
