"""Pages that follow from the code, and links and commands that must work.

`UPDATE_DOCS=1 pytest tests/test_docs.py` writes the generated pages anew.
"""

import os
import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from tympan.settings import ENV_PREFIX, Settings

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("*/README.md"))]
COMPUTED = {
    "weights": "the user's cache folder, `~/.cache/tympan/weights`",
    "listen.threads": "one for each processor, at most 8",
    "speak.threads": "one for each processor, at most 8",
}


def settings_page():
    """Return docs/settings.md as it should be."""
    lines = [
        "# Settings",
        "",
        "Flags over environment over file over default. The file is TOML, named by `--config` or `TYMPAN_CONFIG`; a",
        "dot in a name below is a table there, and `__` in the environment variable. Lists are written with commas in",
        "the environment. A key that does not exist is an error that names the nearest one.",
        "",
        "```toml",
        "[server]",
        "port = 9000",
        'api_keys = ["one", "another"]',
        "```",
    ]
    for title, rows in groups(Settings, ""):
        lines += ["", f"## {title}", "", "| setting | environment variable | default | what |", "|---|---|---|---|"]
        lines += [
            f"| `{key}` | `{ENV_PREFIX}{key.replace('.', '__').upper()}` | {default} | {what} |"
            for key, default, what in rows
        ]
    return "\n".join(lines) + "\n"


def groups(model, prefix):
    rows, inner = [], []
    for name, info in model.model_fields.items():
        key = prefix + name
        if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel):
            doc = (info.annotation.__doc__ or "").strip().splitlines()[0]
            inner += [(f"{key}: {doc[0].lower()}{doc[1:].rstrip('.')}", groups(info.annotation, f"{key}.")[0][1])]
        else:
            rows.append((key, shown(key, info), info.description))
    return [("At the top", rows), *inner]


def shown(key, info):
    if key in COMPUTED:
        return COMPUTED[key]
    default = info.default
    if default is None or default == ():
        return "none"
    if isinstance(default, tuple):
        return "`" + ",".join(default) + "`"
    return f"`{default:g}`" if isinstance(default, float) else f"`{default}`"


def test_the_settings_page_is_that_of_the_code():
    page = ROOT / "docs" / "settings.md"
    if os.environ.get("UPDATE_DOCS"):
        page.write_text(settings_page(), encoding="utf-8")
    assert page.read_text(encoding="utf-8") == settings_page()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target or target.startswith("#"):
            continue
        assert (page.parent / target.split("#")[0]).exists(), f"{page.name} links to {target}"


def test_the_readme_has_two_commands_of_one_line_each():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```bash (\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert [name for name, _ in blocks] == ["run", "test"]
    assert all(len(body.strip().splitlines()) == 1 for _, body in blocks)
