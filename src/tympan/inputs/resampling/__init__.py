"""From the source's sample rate to the model's, as each family's published processor does it."""
