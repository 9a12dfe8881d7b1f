"""Audio for models that take audio: clips to checked, bounded, exact features and token ids. No HTTP, no torch."""
