"""Whisper on CTranslate2, called directly, in a window as long as the audio and not always 30 s."""
