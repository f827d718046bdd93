"""An environment for search agents with the interface of Gym, as in ArchGym. A step makes one run per stimulus."""

from __future__ import annotations

import math
from typing import Any, Mapping, Sequence

from .client import Client, default_client
from .errors import BadInput
from .results import Request

#: A value of each dimension of the space.
Action = Mapping[str, Any]
Observation = dict[str, float]


class Environment:
    """The machines of a space, and the objective of each.

    `space` has a list of values per dimension. A dimension is a configuration key, "config", or any name whose values are mappings of keys that
    change together. `config`, `set` and `seed` apply to all points. `objective` is "max METRIC" or "min METRIC", of the geometric mean over
    `stimuli`. `observe` names the metrics of an observation. A search is over after `runs` different points (None: all points).
    """

    def __init__(self, space: Mapping[str, Sequence[Any]], stimuli: Sequence[str], *, config: str = "private", set: Action | None = None, seed: int = 1,
                 objective: str = "max ipc", observe: Sequence[str] = ("ipc",), runs: int | None = None, client: Client | None = None) -> None:
        self.action_space = {name: list(values) for name, values in space.items()}
        self.size = math.prod(len(values) for values in self.action_space.values())
        self.runs = self.size if runs is None else min(runs, self.size)
        direction, _, self.metric = objective.partition(" ")
        if direction not in ("max", "min") or not self.metric or self.size == 0:
            raise ValueError(f"the objective is {objective!r} over {self.size} points; write such as 'max ipc', and values for every dimension")
        self._sign = 1 if direction == "max" else -1
        self._stimuli, self._observe, self._seed = list(stimuli), list(observe), seed
        self._fixed = {"config": config, **(set or {})}
        self._client = client or default_client()
        #: The steps to different points, in order: action and reward.
        self.history: list[tuple[dict[str, Any], float]] = []
        self._known: dict[str, tuple[Observation, float, dict[str, Any]]] = {}

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begins a search: forgets all points."""
        self.history.clear()
        self._known.clear()
        return {}, {}

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Runs a point that this search has not tried. Returns observation, reward, terminated (never), truncated (the search is over), info.

        The reward is the objective, or its negative for "min". An illegal point has the reward -inf and the reason in info["error"]. For others
        info["value"] is the objective and info["results"] has a Result per stimulus.
        """
        point = repr([action[name] for name in self.action_space])
        if point not in self._known:
            self._known[point] = self._evaluate(action)
            self.history.append((dict(action), self._known[point][1]))
        observation, reward, info = self._known[point]
        return observation, reward, False, len(self.history) >= self.runs, info

    def tried(self, action: Action) -> bool:
        """True if this search has tried the point."""
        return repr([action[name] for name in self.action_space]) in self._known

    def best(self) -> tuple[dict[str, Any], float]:
        """The first of the best points so far, and its objective."""
        action, reward = max(self.history, key=lambda step: step[1])
        return action, self._sign * reward

    def _evaluate(self, action: Action) -> tuple[Observation, float, dict[str, Any]]:
        settings = dict(self._fixed)
        for name in self.action_space:
            value = action[name]
            settings.update(value if isinstance(value, Mapping) else {name: value})
        config = settings.pop("config")
        try:
            results = self._client.run_many([Request(config=config, stimulus=stimulus, set=settings, seed=self._seed) for stimulus in self._stimuli], progress=False)
        except BadInput as error:
            return {}, -math.inf, {"error": str(error)}

        def mean(metric: str) -> float:
            if metric not in results[0]["metrics"]:
                raise ValueError(f"{config} has no metric {metric!r}; 'wharf list metrics' prints them")
            values = [float(result["metrics"][metric]) for result in results]
            return math.exp(math.fsum(map(math.log, values)) / len(values)) if len(values) > 1 and min(values) > 0 else min(values)

        value = mean(self.metric)
        return {name: mean(name) for name in self._observe}, self._sign * value, {"value": value, "results": results}
