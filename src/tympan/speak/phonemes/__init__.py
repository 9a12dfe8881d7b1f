"""From words to the model's phonemes, per language."""
