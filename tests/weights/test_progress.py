import io

from rich.console import Console

from tympan.weights.progress import BarProgress, LineProgress, progress_on


def test_lines_tell_file_source_counts_bytes_and_time_left(make_file):
    lines: list[str] = []
    now = [100.0]
    progress = LineProgress(lines.append, clock=lambda: now[0])
    small, big = make_file("b/small", b"x" * 1000), make_file("b/big", b"y" * 9000)
    progress.begin([small, big])
    progress.asking(small, "pypi")
    progress.at(small, 1000)
    now[0] += 2
    progress.at(big, 4000)
    progress.finish(small, "pypi")
    progress.say("b/big: hub: HTTP 404")
    progress.finish(big, "https")
    progress.end()
    assert lines == [
        "Fetching 2 files, 10.0 kB",
        "b/small: 1.0 kB from pypi (1 of 2 files, 5.0 kB of 10.0 kB, about 2 s left)",
        "b/big: hub: HTTP 404",
        "b/big: 9.0 kB from https (2 of 2 files, 10.0 kB of 10.0 kB)",
    ]


def test_lines_do_not_guess_the_time_left_from_almost_nothing(make_file):
    lines: list[str] = []
    progress = LineProgress(lines.append)
    small, big = make_file("b/small", b"x" * 10), make_file("b/big", b"y" * 9000)
    progress.begin([small, big])
    progress.finish(small, "pypi")
    assert lines[-1] == "b/small: 10 bytes from pypi (1 of 2 files, 10 bytes of 9.0 kB)"


def test_bars_show_who_is_asked_then_bytes_then_a_line(make_file):
    screen = io.StringIO()
    progress = BarProgress(Console(file=screen, force_terminal=True, width=120))
    file, other = make_file("b/[big]", b"y" * 9000), make_file("b/other", b"z" * 1000)
    progress.begin([file, other])
    progress.asking(file, "pypi")
    progress._bars.refresh()
    assert "b/[big] (asking pypi)" in screen.getvalue()
    progress.at(file, 4500)
    progress._bars.refresh()
    assert "4.5/9.0 kB" in screen.getvalue()
    assert "4.5/10.0 kB" in screen.getvalue()
    progress.at(file, 10)
    progress._bars.refresh()
    assert "0.0/10.0 kB" in screen.getvalue()
    progress.finish(file, "pypi")
    progress.end()
    assert "b/[big]: 9.0 kB from pypi" in screen.getvalue()
    assert "9.0/10.0 kB" in screen.getvalue()


def test_bars_on_a_terminal_lines_elsewhere():
    assert isinstance(progress_on(Console(file=io.StringIO(), force_terminal=True)), BarProgress)
    screen = io.StringIO()
    lines = progress_on(Console(file=screen, width=10))
    assert isinstance(lines, LineProgress)
    lines.say("a sentence with [brackets] that is longer than the console is wide")
    assert screen.getvalue() == "a sentence with [brackets] that is longer than the console is wide\n"
