"""What travels: bodies, topics, the codec, the broker's set-up and request-reply. Imports nothing else of ours."""
