"""Speech to text: voice activity, cutting, decoding, words, segments, subtitles. Knows nothing of HTTP."""
