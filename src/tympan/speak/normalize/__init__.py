"""From plain text to words as they are said, per language."""
