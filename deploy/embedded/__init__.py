"""The servers that `up` and `demo` bring with them: a Kafka-compatible broker and PostgreSQL, from Python wheels.

Both are for one machine and one person. A deployment names its own servers in the settings.
"""
