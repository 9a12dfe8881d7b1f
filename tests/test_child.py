import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

from tympan.child import Child, resident_bytes


def echo(connection, *args):
    connection.send(args)
    while True:
        connection.send(connection.recv())


def end_with(connection, code):
    del connection
    os._exit(code)


def test_it_answers_and_ends_with_its_pipe():
    child = Child("tests.test_child:echo", "a", 2)
    assert child.connection.recv() == ("a", 2)
    child.connection.send("hello")
    assert child.connection.recv() == "hello"
    assert child.exitcode is None
    assert resident_bytes(child.pid) > 1_000_000
    child.stop()
    assert child.exitcode == 0


def test_how_it_ended():
    child = Child("tests.test_child:end_with", 5)
    assert child.how_it_ended() == "its process ended with code 5"
    child.stop()
    child = Child("tests.test_child:echo")
    os.kill(child.pid, signal.SIGSEGV)
    assert child.how_it_ended() == "its process was ended by SIGSEGV"
    child.stop()


def test_a_child_does_not_outlive_its_parent(tmp_path: Path):
    script = tmp_path / "parent.py"
    script.write_text(
        textwrap.dedent("""
        import os, sys
        from tympan.child import Child
        child = Child("tests.test_child:echo")  # no main guard: none is needed
        child.connection.recv()
        print(child.pid, flush=True)
        os.kill(os.getpid(), 9)
        """)
    )
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        check=False,
        timeout=30,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    pid = int(done.stdout)
    deadline = time.monotonic() + 10
    while resident_bytes(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not resident_bytes(pid)
