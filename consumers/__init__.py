"""What happens: a module or package for each consumer group, the pure rules beside the consumer that uses them."""
