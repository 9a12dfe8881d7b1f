"""The only code that touches a native model runtime; each engine runs in a child process of its own."""
