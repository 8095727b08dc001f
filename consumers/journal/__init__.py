"""The journal: appends every accepted message once, in its thread's order, before its offset is committed."""
