"""Talks to `wharf serve` in plain lines, without the package of platforms/python."""

import json
import os
import pathlib
import socket
import subprocess
import time

PROGRAM = os.environ["WHARF_PROGRAM"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
ENDLESS = "synthetic:instructions=10000000"  # runs for minutes, so that a test finds it running
QUICK = {"config": "private", "stimulus": "vectoradd@tiny"}


def wharf(*arguments, cwd=None):
    """Runs the program to its end."""
    return subprocess.run([PROGRAM, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


def until(condition, seconds=60):
    """Waits until the condition is true; fails after `seconds`."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


class Lines:
    """The lines of one client. Each received line must be an object with an id and one of the three kinds of answer."""

    def __init__(self, send, receive):
        self.send_stream, self.receive_stream = send, receive

    def send(self, *requests):
        for request in requests:
            text = request if isinstance(request, bytes) else json.dumps(request).encode()
            self.send_stream.write(text + b"\n")
        self.send_stream.flush()

    def run(self, id, **params):
        self.send({"id": id, "method": "run", "params": {**QUICK, **params}})

    def receive(self):
        line = self.receive_stream.readline()
        assert line.endswith(b"\n"), "the server ended"
        answer = json.loads(line)
        assert list(answer)[0] == "id" and len(answer) == 2 and {*answer} & {"progress", "result", "error"}
        return answer

    def answer(self):
        """The next answer that is not a progress report."""
        while "progress" in (answer := self.receive()):
            pass
        return answer

    def answers(self, count):
        """The next `count` answers, by id."""
        return {answer["id"]: answer for answer in (self.answer() for _ in range(count))}

    def wait_for_progress(self, *ids):
        """Waits for the first progress report of each of these runs."""
        missing = set(ids)
        while missing:
            answer = self.receive()
            assert "progress" in answer, answer
            missing.discard(answer["id"])


class Server(Lines):
    """A server on pipes, or with `socket` on a Unix socket. Its folder is `folder`/out."""

    def __init__(self, folder, *arguments):
        self.out = folder / "out"
        self.process = subprocess.Popen([PROGRAM, "serve", "--out", str(self.out), *arguments], cwd=folder, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        super().__init__(self.process.stdin, self.process.stdout)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.kill()
        self.process.wait()
        for stream in [self.process.stdin, self.process.stdout, self.process.stderr]:
            try:
                stream.close()
            except BrokenPipeError:
                pass  # data that the server did not read

    def end(self):
        """Closes the input and returns the exit code."""
        self.send_stream.close()
        return self.process.wait(60)

    def children(self):
        pid = self.process.pid
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Connection(Lines):
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        until(lambda: self.socket.connect_ex(str(path)) == 0)
        super().__init__(self.socket.makefile("wb"), self.socket.makefile("rb"))

    def close(self):
        self.send_stream.close()
        self.receive_stream.close()
        self.socket.close()
