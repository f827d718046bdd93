"""Runs simulations of Wharf, over `wharf serve`.

    import wharf
    result = wharf.run("private", "gemm@tiny", set={"l1.capacity_kib": 64})
    result["metrics"]["ipc"]

A `Client` starts its own server. The functions here share one, which starts with the first call and ends with Python.
"""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Sequence

from .client import Client, Run, default_client
from .environment import Environment
from .errors import (BadInput, BadRequest, Cancelled, Crashed, ServerEnded, SimulationFailed, WharfError)
from .results import Limits, Progress, Request, Result, Setting, frame, rows
from .space import Key

__all__ = ["BadInput", "BadRequest", "Cancelled", "Client", "Crashed", "Environment", "Key", "Limits", "Progress", "Request", "Result", "Run",
           "ServerEnded", "Setting", "SimulationFailed", "WharfError", "frame", "rows", "run", "run_many", "space"]


def run(config: str, stimulus: str | None = None, **options: Any) -> Result:
    """Makes a run: Client.run() of the shared client."""
    return default_client().run(config, stimulus, **options)


def run_many(requests: Iterable[Request], **options: Any) -> Sequence[Result]:
    """Makes several runs in parallel: Client.run_many() of the shared client."""
    return default_client().run_many(requests, **options)


def space(config: str = "private") -> Mapping[str, Key]:
    """Every configuration key: Client.space() of the shared client."""
    return default_client().space(config)
