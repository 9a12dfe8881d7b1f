"""What a text is said as, for the tables."""

from tympan.speak.cleaning import clean
from tympan.speak.normalize.languages import scanner_for


def said(text, language):
    """Return the words of a text as they are said, with a space between them."""
    return " ".join(word.text for sentence in scanner_for(language).sentences(clean(text)) for word in sentence)


def sentences(text, language):
    """Return each sentence with its marks."""
    return [
        " ".join(f"{word.before}{word.text}{word.after}" for word in sentence)
        for sentence in scanner_for(language).sentences(clean(text))
    ]
