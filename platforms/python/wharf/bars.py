"""Progress bars, drawn by tqdm if it is installed."""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Callable, Iterator, Union

ProgressOption = Union[None, bool, Callable[[Any], None]]


def _tqdm(progress: ProgressOption) -> Any:
    """tqdm's class, or None without a bar. Raises ImportError if `progress` is True and tqdm is missing."""
    if progress is False or (progress is None and not sys.stderr.isatty()):
        return None
    try:
        from tqdm import tqdm
    except ImportError as error:
        if progress is None:
            return None
        raise ImportError("a progress bar needs tqdm: apt-get install python3-tqdm, or pip install tqdm") from error
    return tqdm


@contextlib.contextmanager
def bar_of_run(progress: ProgressOption, name: str) -> Iterator[Callable[[Any], None] | None]:
    """A bar for one run. Yields the argument on_progress of Client.submit()."""
    if callable(progress):
        yield progress
        return
    tqdm = _tqdm(progress)
    if tqdm is None:
        yield None
        return
    with tqdm(total=100, desc=name, unit="%", leave=False) as bar:

        def show(now: Any) -> None:
            bar.set_postfix_str(f"{now['cycles']:,} cycles", refresh=False)
            bar.update(100 * (now["fraction"] or 0) - bar.n)

        yield show


@contextlib.contextmanager
def bar_of_runs(progress: ProgressOption, count: int) -> Iterator[Callable[[Any], None]]:
    """A bar for several runs. Yields the function to call with each result."""
    if callable(progress):
        yield progress
        return
    tqdm = _tqdm(progress)
    if tqdm is None:
        yield lambda result: None
        return
    with tqdm(total=count, unit="run", leave=False) as bar:

        def count_one(_result: Any) -> None:
            bar.update()

        yield count_one
