from pathlib import Path

import pytest

from tympan.errors import SettingsError
from tympan.settings import default_weights_dir, known_keys, load_settings


def load(tmp_path, *, flags=None, env=None, file=None):
    config = None
    if file is not None:
        config = tmp_path / "tympan.toml"
        config.write_text(file, encoding="utf-8")
    return load_settings(flags, config=config, environ=env or {})


def test_defaults(tmp_path):
    settings = load(tmp_path)
    assert settings.server.host == "127.0.0.1"
    assert settings.weights == default_weights_dir()


def test_flags_over_environment_over_file(tmp_path):
    file = "weights = '/a'\n[server]\nport = 1\nhost = 'file'\n[listen]\nbatch = 2\n"
    env = {"TYMPAN_SERVER__PORT": "2", "TYMPAN_WEIGHTS": "/b", "PATH": "/bin"}
    settings = load(tmp_path, flags={"server": {"port": 3, "host": None}}, env=env, file=file)
    assert (settings.server.port, settings.server.host) == (3, "file")
    assert settings.weights == Path("/b")
    assert settings.listen.batch == 2


def test_the_file_may_be_named_by_the_environment(tmp_path):
    config = tmp_path / "t.toml"
    config.write_text("[server]\nport = 5\n")
    assert load_settings(environ={"TYMPAN_CONFIG": str(config)}).server.port == 5


def test_lists_are_written_with_commas(tmp_path):
    env = {"TYMPAN_SERVER__API_KEYS": "one, two,", "TYMPAN_SOURCES__ORDER": "https,pypi"}
    settings = load(tmp_path, env=env)
    assert settings.server.api_keys == ("one", "two")
    assert settings.sources.order == ("https", "pypi")
    assert load(tmp_path, file="[sources]\norder = ['npm']").sources.order == ("npm",)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"env": {"TYMPAN_SERVER__PRT": "1"}}, r"TYMPAN_SERVER__PRT: unknown .*did you mean 'TYMPAN_SERVER__PORT'"),
        ({"env": {"TYMPAN_SERVER__PORT": "x"}}, r"variable TYMPAN_SERVER__PORT: 'server.port': .*valid integer"),
        ({"env": {"TYMPAN_SERVER__PORT": "70000"}}, r"'server.port': .*65535"),
        ({"file": "[server]\nprot = 1"}, r"tympan.toml: unknown setting 'server.prot'; did you mean 'server.port'"),
        ({"file": "[sever]\nport = 1"}, r"unknown setting 'sever.port'; did you mean 'server.port'"),
        ({"file": "[listen]\nbatch = 0"}, r"tympan.toml: 'listen.batch'"),
        ({"file": "server = 1"}, r"server"),
        ({"file": "port = "}, r"tympan.toml: Invalid value"),
        ({"flags": {"listen": {"threads": 0}}}, r"command line: 'listen.threads'"),
        ({"env": {"TYMPAN_SOURCES__ORDER": "pypi,ftp"}}, r"sources.order"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, given, says):
    with pytest.raises(SettingsError, match=says):
        load(tmp_path, **given)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SettingsError, match=r"nothing.toml: No such file"):
        load_settings(config=tmp_path / "nothing.toml", environ={})


def test_every_setting_says_what_it_is():
    assert all(known_keys().values())
