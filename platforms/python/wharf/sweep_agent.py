"""What `wharf sweep --agent` starts: python3 -m wharf.sweep_agent QUESTION.json ANSWER.json

The question has the lines of the sweep, the answer the places of those that the agent has tried, in order, and search.csv beside it how the
best has grown. Runs are made by a server in the sweep's folder, which leaves them where the sweep finds them.
"""

from __future__ import annotations

import csv
import json
import pathlib
import sys
from typing import Any, Mapping, Sequence

from .agents import search
from .client import Client
from .environment import Environment
from .errors import WharfError

Line = Mapping[str, Any]  # config, and set: key and value as texts


def space_of(lines: Sequence[Line], zipped: Sequence[str]) -> dict[str, list[Any]]:
    """The dimensions whose combinations the lines are. Zipped keys are one dimension."""
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
    """A number has an order for the agent."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def place_of(action: Mapping[str, Any], lines: Sequence[Line]) -> int:
    """The line that an action stands for."""

    def fits(line: Line) -> bool:
        for name, value in action.items():
            wanted = value if isinstance(value, Mapping) else {name: value}
            if any((line["config"] if key == "config" else number_or_text(line["set"][key])) != number_or_text(str(one))
                   for key, one in wanted.items()):
                return False
        return True

    return next(place for place, line in enumerate(lines) if fits(line))


def answer(question: Mapping[str, Any], beside: pathlib.Path) -> dict[str, Any]:
    """Searches, and writes search.csv into the folder `beside`."""
    lines, metric = question["lines"], question["objective"].split()[1]
    space = space_of(lines, question["zip"])
    constant = {key: value for key, value in lines[0]["set"].items() if key not in space and key not in question["zip"]}
    with Client(question["program"], jobs=question["jobs"], out=beside, plugins=question["plugins"]) as client:
        environment = Environment(space, question["stimuli"], set=constant, objective=question["objective"], runs=question["runs"], client=client)
        search(question["agent"], environment, seed=question["seed"])
    best, sign = float("-inf"), 1 if question["objective"].startswith("max") else -1
    with open(beside / "search.csv", "w", encoding="utf8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["run", *space, metric, "best"])
        for number, (action, reward) in enumerate(environment.history, 1):
            best = max(best, reward)
            table.writerow([number, *action.values(), sign * reward, sign * best])
    return {"tried": [place_of(action, lines) for action, _ in environment.history]}


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code, as that of `wharf`."""
    question_file, answer_file = map(pathlib.Path, arguments)
    question = json.loads(question_file.read_text(encoding="utf8"))
    try:
        answered = answer(question, answer_file.parent)
    except KeyboardInterrupt:
        return 130
    except (ImportError, ValueError, WharfError) as error:
        print(f"wharf: --agent {question['agent']}: {error}", file=sys.stderr)
        return 1 if isinstance(error, WharfError) and error.kind != "bad_input" else 2
    answer_file.write_text(json.dumps(answered), encoding="utf8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
