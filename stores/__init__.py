"""What lasts: PostgreSQL, the authority, and Qdrant, an index that can be rebuilt. Imports `streams` only."""
