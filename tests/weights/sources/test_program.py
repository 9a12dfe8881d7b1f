import os
import sys
import threading
import time

import pytest

from tympan.errors import Cancelled, SourceUnavailable
from tympan.weights.sources.program import run_program


def run(code, folder, cancellation, stall_s=20.0):
    run_program(
        [sys.executable, "-c", code],
        source="tool",
        folder=folder,
        environ=os.environ,
        explain=lambda lines: lines[0],
        stall_s=stall_s,
        cancellation=cancellation,
    )


def test_it_runs_inside_the_folder(tmp_path, cancellation):
    run("open('made', 'w').write('x')", tmp_path, cancellation)
    assert (tmp_path / "made").read_text() == "x"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("print('  why'); print('bye', file=sys.stderr); sys.exit(3)", "why"),
        ("print('x' * 1000); sys.exit(3)", "x" * 300),
        ("sys.exit(3)", "ended with code 3"),
        ("import os; os.abort()", "ended with code -6"),
    ],
)
def test_what_it_says_is_the_reason(tmp_path, cancellation, code, reason):
    with pytest.raises(SourceUnavailable) as caught:
        run(f"import sys; {code}", tmp_path, cancellation)
    assert str(caught.value) == f"tool: {reason}"


def test_a_program_that_does_not_start_is_a_reason(tmp_path, cancellation):
    with pytest.raises(SourceUnavailable, match="does not start: No such file"):
        run_program(
            ["/nowhere/tool"],
            source="tool",
            folder=tmp_path,
            environ={},
            explain=lambda lines: lines[0],
            stall_s=1,
            cancellation=cancellation,
        )


def test_silence_ends_it_with_its_children(tmp_path, cancellation):
    code = (
        "import subprocess, sys, time;"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
        "open('pid', 'w').write(str(p.pid)); time.sleep(60)"
    )
    with pytest.raises(SourceUnavailable, match=r"no sign of life for 0\.5 s"):
        run(code, tmp_path, cancellation, stall_s=0.5)
    grandchild = int((tmp_path / "pid").read_text())
    for _ in range(100):  # init reaps it a moment later
        try:
            with open(f"/proc/{grandchild}/stat") as stat:  # noqa: PTH123
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    return
            os.kill(grandchild, 0)
        except (ProcessLookupError, FileNotFoundError):
            return
        time.sleep(0.02)
    pytest.fail("the grandchild still runs")


def test_a_growing_file_is_a_sign_of_life(tmp_path, cancellation):
    code = (
        "import time\n"
        "with open('grows', 'wb', buffering=0) as f:\n"
        "    for _ in range(12):\n"
        "        f.write(b'x'); time.sleep(0.1)\n"
    )
    run(code, tmp_path, cancellation, stall_s=0.9)
    assert (tmp_path / "grows").stat().st_size == 12


def test_cancelling_ends_it_at_once(tmp_path, cancellation):
    threading.Timer(0.2, cancellation.cancel).start()
    begun = time.monotonic()
    with pytest.raises(Cancelled):
        run("import time; time.sleep(60)", tmp_path, cancellation)
    assert time.monotonic() - begun < 10
