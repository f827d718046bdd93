"""Finds the program, and starts a server or connects to one."""

from __future__ import annotations

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
from typing import BinaryIO, Sequence

from .errors import ServerEnded


def find_program(program: str | os.PathLike[str] | None = None) -> str:
    """The path of `wharf`: the argument, else WHARF_PROGRAM, else the program of the checkout that contains this package, else PATH.

    Raises ServerEnded if none exists.
    """
    checkout = pathlib.Path(__file__).resolve().parents[3]
    for place in (program, os.environ.get("WHARF_PROGRAM"), checkout / "build/release/wharf"):
        if place and os.access(place, os.X_OK):
            return str(place)
        if place and place in (program, os.environ.get("WHARF_PROGRAM")):
            raise ServerEnded(f"there is no program {place}; name the wharf to run")
    found = shutil.which("wharf")
    if found:
        return found
    raise ServerEnded("cannot find the program: build it with ./wharf setup, and set WHARF_PROGRAM to its build/release/wharf")


class Pipes:
    """A server that this process starts, on pipes."""

    def __init__(self, program: str, arguments: Sequence[str]) -> None:
        self._said = tempfile.TemporaryFile()
        # In a separate session, because Ctrl-C must reach only Python, which cancels the runs that it waits for.
        self._process = subprocess.Popen([program, "serve", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said,
                                         start_new_session=True)
        assert self._process.stdin and self._process.stdout
        self.requests: BinaryIO = self._process.stdin  # type: ignore[assignment]
        self.answers: BinaryIO = self._process.stdout  # type: ignore[assignment]

    def why_it_ended(self) -> str:
        """The server's messages at its end."""
        code = self._process.wait()
        self._said.seek(0)
        said = self._said.read().decode(errors="replace").strip()
        return said or f"the server has ended with code {code}"

    def close(self) -> None:
        """Ends the server and its runs."""
        self._process.terminate()
        try:
            self.requests.close()
        except BrokenPipeError:
            pass
        self._process.wait()


class Connection:
    """A server that listens on a Unix socket."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(os.fspath(path))
        except OSError as error:
            self._socket.close()
            raise ServerEnded(f"{os.fspath(path)}: {error.strerror}; start a server with: wharf serve --socket {os.fspath(path)}") from error
        self.requests: BinaryIO = self._socket.makefile("wb")
        self.answers: BinaryIO = self._socket.makefile("rb")

    def why_it_ended(self) -> str:
        """The cause of a closed connection is unknown."""
        return "the server has closed the connection"

    def close(self) -> None:
        """Disconnects from the server, which ends this client's runs."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
