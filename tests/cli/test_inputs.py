import pytest

from tympan.cli.inputs import is_media_head


@pytest.mark.parametrize(
    ("head", "media"),
    [
        (b"RIFF\0\0\0\0WAVE", True),
        (b"RF64\xff\xff\xff\xffWAVE", True),
        (b"RIFF\0\0\0\0AVI ", True),
        (b"FORM\0\0\0\0AIFF", True),
        (b"fLaC\0\0\0\x22", True),
        (b"OggS\0\x02", True),
        (b"ID3\x04", True),
        (b"\xff\xfb\x90\x64", True),
        (b"\xff\xf3\x40\xc0", True),
        (b"\xff\xf1\x50\x80", True),
        (b"\0\0\0\x20ftypM4A ", True),
        (b"\x1a\x45\xdf\xa3", True),
        (b"#!AMR\n", True),
        (b"G" + bytes(187) + b"G", True),
        (b"", False),
        (b"\xff", False),
        (b"RIFF\0\0\0\0WEBP", False),
        (b"\xff\xd8\xff\xe0", False),
        (b"\xff\xfeh\0i\0", False),
        (b"PK\x03\x04", False),
        (b"Good morning", False),
        (b"{}", False),
    ],
)
def test_media_is_known_by_its_first_bytes(head: bytes, *, media: bool):
    assert is_media_head(head) is media
