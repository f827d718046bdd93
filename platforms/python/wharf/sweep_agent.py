"""Started by `wharf sweep --agent`: python3 -m wharf.sweep_agent QUESTION.json ANSWER.json

The question has the lines of the sweep. The answer has the indices of the lines that the agent tried, in order. search.csv in the same folder
has the best value after each step. A server in the sweep's folder makes the runs, so that the sweep finds their records.
"""

from __future__ import annotations

import csv
import json
import math
import pathlib
import sys
from typing import Any, Mapping, Sequence

from .agents import search
from .client import Client
from .environment import Environment
from .errors import BadInput, WharfError

Line = Mapping[str, Any]  # config, and set: key and value as texts


def space_of(lines: Sequence[Line], zipped: Sequence[str]) -> dict[str, list[Any]]:
    """The dimensions of the space whose points are the lines. Zipped keys form one dimension."""
    space: dict[str, list[Any]] = {}

    def add(name: str, value: Any) -> None:
        values = space.setdefault(name, [])
        if value not in values:
            values.append(value)

    for line in lines:
        add("config", line["config"])
        for key, value in line["set"].items():
            if key not in zipped:
                add(key, number_or_text(value))
        if zipped:
            add("zip", {key: line["set"][key] for key in zipped})
    return {name: values for name, values in space.items() if len(values) > 1 or name == "config"}


def number_or_text(text: str) -> Any:
    """Converts a text to a number if possible, because agents use the order of numbers."""
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        return number if math.isfinite(number) else text
    return text


def place_of(action: Mapping[str, Any], lines: Sequence[Line]) -> int:
    """The index of the line that an action selects."""

    def fits(line: Line) -> bool:
        for name, value in action.items():
            wanted = value if isinstance(value, Mapping) else {name: value}
            if any((line["config"] if key == "config" else number_or_text(line["set"][key])) != number_or_text(str(one))
                   for key, one in wanted.items()):
                return False
        return True

    return next(place for place, line in enumerate(lines) if fits(line))


def answer(question: Mapping[str, Any], beside: pathlib.Path) -> dict[str, Any]:
    """Searches, and writes each step to search.csv in the folder `beside`."""
    lines, objective = question["lines"], question["objective"]
    space = space_of(lines, question["zip"])
    constant = {key: value for key, value in lines[0]["set"].items() if key not in space and key not in question["zip"]}
    sign = 1 if objective.startswith("max") else -1
    with Client(question["program"], jobs=question["jobs"], out=beside, plugins=question["plugins"]) as client, \
            open(beside / "search.csv", "w", encoding="utf8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["run", *space, objective.split(maxsplit=1)[1], "best"])

        class Recorded(Environment):
            """Writes a row for each new point."""

            def step(self, action: Any) -> Any:
                before = len(self.history)
                taken = super().step(action)
                if "error" in taken[4]:
                    raise BadInput(taken[4]["error"])  # the sweep has checked every machine
                if len(self.history) > before:
                    table.writerow([len(self.history), *action.values(), sign * taken[1], self.best()[1]])
                    file.flush()
                return taken

        environment = Recorded(space, question["stimuli"], set=constant, seed=question["seed"], objective=objective, runs=question["runs"],
                               client=client)
        best, value = search(question["agent"], environment, seed=question["agent_seed"])
    return {"tried": [place_of(action, lines) for action, _ in environment.history], "best": place_of(best, lines), "value": value}


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code, as `wharf` does."""
    question_file, answer_file = map(pathlib.Path, arguments)
    question = json.loads(question_file.read_text(encoding="utf8"))
    try:
        answered = answer(question, answer_file.parent)
    except KeyboardInterrupt:
        return 130
    except (ImportError, ValueError, WharfError) as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, (ImportError, ValueError, BadInput)) else 1
    answer_file.write_text(json.dumps(answered), encoding="utf8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
