"""Exceptions for the kinds of errors in docs/serve.md."""

from __future__ import annotations


class WharfError(RuntimeError):
    """Any failure of a request. The message names the remedy."""

    kind = "wharf"


class BadRequest(WharfError):
    """The server cannot read the request."""

    kind = "bad_request"


class BadInput(WharfError):
    """An illegal configuration, key, value, stimulus or trace. `wharf run` exits with 2."""

    kind = "bad_input"


class SimulationFailed(WharfError):
    """A broken law, stale data or a deadlock. `wharf run` exits with 1."""

    kind = "simulation_failed"


class Cancelled(WharfError):
    """The run was cancelled by Run.cancel(), a timeout or the end of the server."""

    kind = "cancelled"


class Crashed(WharfError):
    """The run's process ended without an answer."""

    kind = "crashed"


class ServerEnded(WharfError):
    """The server did not start, or it has ended."""

    kind = "server_ended"


KINDS = {error.kind: error for error in (BadRequest, BadInput, SimulationFailed, Cancelled, Crashed)}
