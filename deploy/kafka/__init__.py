"""Apache Kafka for development, tests and CI: its jars by Maven, and a small cluster on this machine."""
