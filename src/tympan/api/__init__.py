"""The HTTP service: one module per endpoint and per concept of the protocol."""
