"""What can go wrong, by the kinds of docs/serve.md."""

from __future__ import annotations


class WharfError(RuntimeError):
    """Any failure of a request. The message names the remedy."""

    kind = "wharf"


class BadRequest(WharfError):
    """The server cannot read the request."""

    kind = "bad_request"


class BadInput(WharfError):
    """A configuration, key, value, stimulus or trace that cannot be: what `wharf run` ends with 2 for."""

    kind = "bad_input"


class SimulationFailed(WharfError):
    """A broken law, stale data, a deadlock: what `wharf run` ends with 1 for."""

    kind = "simulation_failed"


class Cancelled(WharfError):
    """The run was cancelled, by Run.cancel(), a timeout or the end of the server."""

    kind = "cancelled"


class Crashed(WharfError):
    """The run's process ended without an answer."""

    kind = "crashed"


class ServerEnded(WharfError):
    """There is no server: it did not start, or it has ended."""

    kind = "server_ended"


KINDS = {error.kind: error for error in (BadRequest, BadInput, SimulationFailed, Cancelled, Crashed)}
