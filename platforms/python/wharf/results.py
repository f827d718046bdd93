"""Requests and results as plain dictionaries, and as tables."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Sequence, TypedDict, Union

#: A value of a configuration key.
Setting = Union[int, float, bool, str, Sequence[Union[int, str]]]


class Limits(TypedDict, total=False):
    """Limits of a run. A run that reaches one has a partial result."""

    cycles: int
    warp_instructions: int


class Request(TypedDict, total=False):
    """The params of a run (docs/serve.md). `config` and either `stimulus` or `trace` are required; `trace` is short for the stimulus "trace:PATH"."""

    config: str
    stimulus: str
    trace: str
    set: Mapping[str, Setting]
    strict_opcodes: bool
    skip_bad_kernels: bool
    seed: int
    verify: bool
    limits: Limits


class Progress(TypedDict):
    """The progress of a run. `fraction` is None if the length of the stimulus is unknown."""

    cycles: int
    warp_instructions: int
    elapsed_s: float
    fraction: float | None


class Warned(TypedDict):
    """An irregularity of the input that did not end the run, such as an unknown opcode of a trace."""

    text: str
    count: int


class Result(TypedDict, total=False):
    """A finished run (docs/serve.md). `folder` is missing if another command made the run."""

    cached: bool
    partial: bool
    key: str
    folder: str
    inputs: dict[str, Any]
    warnings: list[Warned]
    metrics: dict[str, float]
    wall_s: float


def rows(results: Iterable[Result]) -> list[dict[str, Any]]:
    """One flat dictionary per result: configuration, each key that was set, stimulus, seed, and every metric by its name."""
    table = []
    for result in results:
        inputs = result["inputs"]
        row = {"config": inputs["config"], **dict(setting.split("=", 1) for setting in inputs["set"])}
        row.update({name: inputs[name] for name in ("stimulus", "seed")})
        table.append({**row, **result["metrics"]})
    return table


def frame(results: Iterable[Result]) -> Any:
    """rows() as a pandas DataFrame. A key's column is numeric if all its values are numbers. Raises ImportError without pandas."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("frame() needs pandas: apt-get install python3-pandas, or pip install pandas; rows() needs nothing") from error
    results = list(results)
    table = pandas.DataFrame(rows(results))
    for key in {setting.split("=", 1)[0] for result in results for setting in result["inputs"]["set"]}:
        numbers = pandas.to_numeric(table[key], errors="coerce")
        if numbers.notna().equals(table[key].notna()):
            table[key] = numbers
    return table
