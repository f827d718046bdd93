"""A client of `wharf serve`."""

from __future__ import annotations

import atexit
import concurrent.futures
import contextlib
import itertools
import json
import os
import threading
from types import TracebackType
from typing import Any, Callable, Iterable, Mapping, cast

from .bars import ProgressOption, bar_of_run, bar_of_runs
from .errors import KINDS, ServerEnded, WharfError
from .results import Limits, Progress, Request, Result, Setting
from .server import Connection, Pipes, find_program
from .space import Key, key_of


class Run:
    """A run that was submitted."""

    def __init__(self, client: Client, id: int, on_progress: Callable[[Progress], None] | None) -> None:
        self._client = client
        self._id = id
        self._on_progress = on_progress
        self._answer: concurrent.futures.Future[Any] = concurrent.futures.Future()
        #: The latest progress report; None before the simulation begins.
        self.progress: Progress | None = None

    def result(self, timeout: float | None = None) -> Result:
        """Waits for the result. Raises WharfError. After `timeout` seconds it cancels the run and raises TimeoutError."""
        try:
            return cast(Result, self._answer.result(timeout))
        except concurrent.futures.TimeoutError:
            self.cancel()
            raise TimeoutError(f"the run took more than {timeout} s, and was cancelled") from None
        except KeyboardInterrupt:
            self.cancel()
            raise

    def done(self) -> bool:
        """True if the run has ended, successfully or not."""
        return self._answer.done()

    def cancel(self) -> None:
        """Ends the run if it has not ended. result() then raises Cancelled."""
        if self.done():
            return
        with contextlib.suppress(ServerEnded):
            self._client._send("cancel", {"run": self._id}, Run(self._client, self._client._new_id(), None))

    def _receive(self, answer: Mapping[str, Any]) -> bool:
        """Returns true at the end."""
        if "progress" in answer:
            self.progress = answer["progress"]
            try:
                if self._on_progress and not self.done():
                    self._on_progress(answer["progress"])
            except Exception as error:  # from the caller's function; result() raises it
                self.cancel()
                self._answer.set_exception(error)
            return False
        if self.done():
            return True
        if "error" in answer:
            self._answer.set_exception(KINDS.get(answer["error"]["kind"], WharfError)(answer["error"]["message"]))
        else:
            self._answer.set_result(answer["result"])
        return True


class Client:
    """Starts a server, or connects to one that listens on `socket`.

    `jobs` runs execute at a time (default: one per processor). Finished runs are kept in the folder `out` (default out/serve). `plugins` are
    shared libraries (docs/howto-plugins.md). Several threads may use one client. Raises ServerEnded if no server can be started or reached.
    """

    def __init__(self, program: str | os.PathLike[str] | None = None, *, jobs: int | None = None, out: str | os.PathLike[str] | None = None,
                 plugins: Iterable[str] = (), socket: str | os.PathLike[str] | None = None) -> None:
        if socket is not None:
            self._server: Pipes | Connection = Connection(socket)
        else:
            arguments = [f"--plugin={plugin}" for plugin in plugins]
            arguments += [] if jobs is None else [f"--jobs={jobs}"]
            arguments += [] if out is None else [f"--out={os.fspath(out)}"]
            self._server = Pipes(find_program(program), arguments)
        self._ids = itertools.count(1)
        self._lock = threading.Lock()
        self._open: dict[int, Run] = {}
        self._ended: str | None = None  # why
        self._reader = threading.Thread(target=self._read, name="wharf", daemon=True)
        self._reader.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the server and all open runs."""
        with self._lock:
            self._ended = self._ended or "the client was closed"
        self._server.close()
        if threading.current_thread() is not self._reader:
            self._reader.join()

    @property
    def closed(self) -> bool:
        """True if the server has ended."""
        return self._ended is not None

    def submit(self, config: str, stimulus: str | None = None, *, trace: str | None = None, set: Mapping[str, Setting] | None = None,
               seed: int | None = None, verify: bool | None = None, limits: Limits | None = None, strict_opcodes: bool | None = None,
               skip_bad_kernels: bool | None = None, on_progress: Callable[[Progress], None] | None = None) -> Run:
        """Submits a run and does not wait. `on_progress` is called in another thread."""
        given = {"config": config, "stimulus": stimulus, "trace": trace, "set": dict(set or {}), "seed": seed, "verify": verify, "limits": limits,
                 "strict_opcodes": strict_opcodes, "skip_bad_kernels": skip_bad_kernels}
        return self._send("run", {name: value for name, value in given.items() if value is not None}, Run(self, self._new_id(), on_progress))

    def run(self, config: str, stimulus: str | None = None, *, progress: ProgressOption = None, timeout: float | None = None,
            **options: Any) -> Result:
        """Makes a run, with the options of submit(). Raises WharfError, and TimeoutError after `timeout` seconds.

        `progress`: True draws a bar on stderr (with tqdm), False none, None only on a terminal; a function is called with each Progress.
        """
        with bar_of_run(progress, f"{config} {stimulus or options.get('trace')}") as on_progress:
            return self.submit(config, stimulus, on_progress=on_progress, **options).result(timeout)

    def run_many(self, requests: Iterable[Request], *, progress: ProgressOption = None, errors: str = "raise") -> list[Any]:
        """Runs all at once, as many at a time as the server has jobs. Returns a Result for each, in their order.

        With errors="raise" the first that fails cancels the others and raises its WharfError; with errors="return" the WharfError stands in
        the place of the result. `progress` is as in run(), for all of them; a function is given each Result.
        """
        if errors not in ("raise", "return"):
            raise ValueError(f"errors is {errors!r}; write 'raise' or 'return'")
        runs = [self.submit(**request) for request in requests]
        results: list[Any] = [None] * len(runs)
        places = {run._answer: place for place, run in enumerate(runs)}
        try:
            with bar_of_runs(progress, len(runs)) as on_result:
                for ended in concurrent.futures.as_completed(places):
                    try:
                        result = ended.result()
                    except WharfError as error:
                        if errors == "raise":
                            raise
                        result = error
                    results[places[ended]] = result
                    on_result(result)
        except BaseException:
            for run in runs:
                run.cancel()
            raise
        return results

    def schema(self, config: str = "private") -> dict[str, Any]:
        """The JSON Schema of a run's params, with the defaults of a configuration."""
        answer = self._send("describe", {"config": config}, Run(self, self._new_id(), None))
        return cast("dict[str, Any]", answer.result())

    def space(self, config: str = "private") -> dict[str, Key]:
        """Every configuration key by its dotted path, with the defaults of a configuration."""
        keys = self.schema(config)["properties"]["set"]["properties"]
        return {path: key_of(schema) for path, schema in keys.items()}

    def _new_id(self) -> int:
        return next(self._ids)

    def _send(self, method: str, params: Mapping[str, Any], run: Run) -> Run:
        line = json.dumps({"id": run._id, "method": method, "params": params}, allow_nan=False) + "\n"
        with self._lock:
            if self._ended is not None:
                raise ServerEnded(self._ended)
            self._open[run._id] = run
            try:
                self._server.requests.write(line.encode())
                self._server.requests.flush()
            except OSError:
                pass  # the reader's thread reports the cause
        return run

    def _read(self) -> None:
        """The reader's thread: passes answers to their runs."""
        with contextlib.suppress(OSError, ValueError):  # a connection that broke, or was closed
            for line in self._server.answers:
                answer = json.loads(line)
                run = self._open.get(answer["id"])
                if run and run._receive(answer):
                    del self._open[answer["id"]]
        why = self._server.why_it_ended()
        with self._lock:
            self._ended = self._ended or why
            left = list(self._open.values())
            self._open.clear()
        for run in left:
            if not run.done():
                run._answer.set_exception(ServerEnded(self._ended))


_shared: Client | None = None
_shared_lock = threading.Lock()


def default_client() -> Client:
    """The client that the functions of the package share; a new one if the last has ended."""
    global _shared
    with _shared_lock:
        if _shared is None or _shared.closed:
            _shared = Client()
            atexit.register(_shared.close)
        return _shared
