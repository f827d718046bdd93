"""Search agents: each tries points of an Environment until the search is over."""

from __future__ import annotations

import math
import random
import sys
from typing import Any, Callable, Mapping

from .environment import Action, Environment


def search(agent: str, environment: Environment, *, seed: int = 1) -> tuple[dict[str, Any], float]:
    """Searches with the named agent. Returns the best point and its objective; Environment.history has every step.

    Raises ValueError if the agent does not exist, ImportError if its package is missing.
    """
    if agent not in AGENTS:
        raise ValueError(f"there is no agent {agent!r}; there are {', '.join(AGENTS)}")
    environment.reset()
    AGENTS[agent](environment, seed)
    return environment.best()


def random_agent(environment: Environment, seed: int) -> None:
    """Tries random points, as the reference for other agents."""
    draw = random.Random(seed)
    while not environment.step(_untried(environment, draw))[3]:
        pass


def optuna_agent(environment: Environment, seed: int) -> None:
    """Searches with Optuna's tree-structured Parzen estimator. Numbers are represented by their index in the list, words as categories. If the
    estimator proposes a known point again, the agent tries a new neighbour of it next."""
    try:
        import optuna
    except ImportError as error:
        raise _missing("optuna") from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
    draw = random.Random(seed)
    space = environment.action_space
    distributions: dict[str, Any] = {name: optuna.distributions.IntDistribution(0, len(values) - 1) if _ordered(values)
                                     else optuna.distributions.CategoricalDistribution(range(len(values))) for name, values in space.items()}
    over = False
    while not over:
        trial = study.ask(distributions)
        action = {name: values[trial.params[name]] for name, values in space.items()}
        if environment.tried(action):
            near = _neighbour(environment, action, draw)
            study.enqueue_trial({name: values.index(near[name]) for name, values in space.items()})
        _, reward, _, over, _ = environment.step(action)
        if math.isinf(reward):
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            study.tell(trial, reward)


def nlopt_agent(environment: Environment, seed: int) -> None:
    """Searches with NLopt's randomised DIRECT-L, which divides the box of all indices into the lists of values. Rounds to the nearest index."""
    try:
        import nlopt
    except ImportError as error:
        raise _missing("nlopt") from error
    space = environment.action_space
    worst = 0.0  # the reward of an illegal point, which must be finite
    optimizer = nlopt.opt(nlopt.GN_DIRECT_L_RAND, len(space))

    def reward_at(places: Any, _gradient: Any) -> float:
        nonlocal worst
        action = {name: values[round(place)] for place, (name, values) in zip(places, space.items())}
        _, reward, _, over, _ = environment.step(action)
        if over:
            optimizer.force_stop()
        worst = min(worst, reward) if math.isfinite(reward) else worst
        return reward if math.isfinite(reward) else worst

    nlopt.srand(seed)
    optimizer.set_lower_bounds([0.0] * len(space))
    optimizer.set_upper_bounds([len(values) - 1.0 for values in space.values()])
    optimizer.set_max_objective(reward_at)
    optimizer.set_maxeval(100 * environment.runs)
    try:
        optimizer.optimize([(len(values) - 1) / 2 for values in space.values()])
    except nlopt.ForcedStop:
        pass


AGENTS: Mapping[str, Callable[[Environment, int], None]] = {"optuna": optuna_agent, "nlopt": nlopt_agent, "random": random_agent}


def _missing(package: str) -> ImportError:
    return ImportError(f"{sys.executable} has no package {package}: pip install {package}, or for Debian's /usr/bin/python3 apt-get install "
                       f"python3-{package}")


def _ordered(values: list[Any]) -> bool:
    return all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)


def _neighbour(environment: Environment, action: Action, draw: random.Random) -> Action:
    """An untried point that differs from the action in one dimension, or any untried point if there is none."""
    near = [{**action, name: value} for name, values in environment.action_space.items() for value in values]
    new = [point for point in near if not environment.tried(point)]
    return draw.choice(new) if new else _untried(environment, draw)


def _untried(environment: Environment, draw: random.Random) -> Action:
    """A random untried point. There is one, because the search is not over."""
    while True:
        action = {name: draw.choice(values) for name, values in environment.action_space.items()}
        if not environment.tried(action):
            return action
