"""Search agents in Python and by `wharf sweep --agent`: the environment, and the points that they find."""

import contextlib
import csv
import itertools
import math
import os
import signal
import sqlite3
import subprocess
import sys

import pytest
import wharf
from serving import PROGRAM, ROOT, until
from wharf.agents import AGENTS, search

# The question of docs/howto-search.md.
GRID = {"l1.capacity_kib": [8, 16, 32, 64, 128], "l1.ways": [4, 8], "l1.mshr_entries": [8, 16, 32, 64, 128], "l2.slice_kib": [16, 64],
        "sm.warp_scheduler": ["gto", "lrr"]}
SMALL = "configs: [private]\nstimuli: [vectoradd@tiny]\nvary: {l1.mshr_entries: [2, 8, 32], l1.ways: [2, 4]}\nmetrics: [cycles]\n"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WHARF_PYTHON", sys.executable)


@pytest.fixture
def client():
    with wharf.Client(jobs=2, out="out") as started:
        yield started


def runs_made():
    with sqlite3.connect("out/runs.sqlite") as database:
        return database.execute("select count(*) from runs where status = 'done'").fetchone()[0]


def sweep(text, *arguments, command=("--out", "out", "--jobs", "2")):
    with open("s.yaml", "w", encoding="utf8") as file:
        file.write(text)
    return subprocess.run([PROGRAM, "sweep", "s.yaml", *command, *arguments], capture_output=True, text=True, check=False)


def search_csv():
    with open("out/search.csv", encoding="utf8") as file:
        return list(csv.DictReader(file))


def processes_here():
    """The processes whose working folder is this test's."""
    here = set()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.path.samefile(f"/proc/{pid}/cwd", "."):
                here.add(int(pid))
    return here


def test_the_environment_is_short():
    lines = (ROOT / "platforms/python/wharf/environment.py").read_text(encoding="utf8").splitlines()
    assert len(lines) <= 100


def test_a_step_is_one_run_and_rewards_the_objective(client):
    environment = wharf.Environment({"l1.mshr_entries": [2, 8, 32]}, ["vectoradd@tiny"], objective="min cycles", observe=["ipc", "cycles"], runs=2,
                                    client=client)
    assert environment.reset(seed=1) == ({}, {})
    few, reward, terminated, truncated, info = environment.step({"l1.mshr_entries": 2})
    [result] = info["results"]
    assert result["inputs"]["set"] == ["l1.mshr_entries=2"]
    assert few == {"ipc": result["metrics"]["ipc"], "cycles": result["metrics"]["cycles"]}
    assert info["value"] == result["metrics"]["cycles"] == -reward
    assert (terminated, truncated, runs_made()) == (False, False, 1)
    assert environment.step({"l1.mshr_entries": 2})[:4] == (few, reward, False, False) and runs_made() == 1
    _, better, _, truncated, _ = environment.step({"l1.mshr_entries": 32})
    assert better > reward and truncated and runs_made() == 2
    assert environment.best() == ({"l1.mshr_entries": 32}, -better)
    assert environment.history == [({"l1.mshr_entries": 2}, reward), ({"l1.mshr_entries": 32}, better)]
    environment.reset()
    assert environment.history == [] and not environment.tried({"l1.mshr_entries": 2})


def test_dimensions_are_keys_configurations_and_keys_that_change_together(client):
    space = {"config": ["private", "gpus/fermi_15sm"], "both": [{"l1.ways": 2, "l1.mshr_entries": 8}, {"l1.ways": 8, "l1.mshr_entries": 32}]}
    environment = wharf.Environment(space, ["vectoradd@tiny", "gemm@tiny"], set={"l1.capacity_kib": 32}, seed=3, client=client)
    assert environment.size == 4
    _, reward, _, _, info = environment.step({"config": "gpus/fermi_15sm", "both": space["both"][1]})
    assert [(one["inputs"]["config"], one["inputs"]["set"], one["inputs"]["seed"], one["inputs"]["stimulus"]) for one in info["results"]] == [
        ("gpus/fermi_15sm", ["l1.capacity_kib=32", "l1.ways=8", "l1.mshr_entries=32"], 3, stimulus) for stimulus in ["vectoradd@tiny", "gemm@tiny"]]
    assert math.isclose(reward, math.sqrt(info["results"][0]["metrics"]["ipc"] * info["results"][1]["metrics"]["ipc"]))


def test_a_point_that_cannot_be_built_is_worst_and_says_why(client):
    environment = wharf.Environment({"l1.ways": [3, 4]}, ["vectoradd@tiny"], client=client)
    observation, reward, _, _, info = environment.step({"l1.ways": 3})
    assert (observation, reward) == ({}, -math.inf) and "l1" in info["error"]
    for agent in AGENTS:
        pytest.importorskip(agent) if agent != "random" else None
        assert search(agent, environment)[0] == {"l1.ways": 4}


def test_what_cannot_be_searched_is_refused(client):
    for objective in ["ipc", "best ipc", "max", ""]:
        with pytest.raises(ValueError, match="write such as 'max ipc'"):
            wharf.Environment({"l1.ways": [4]}, ["vectoradd@tiny"], objective=objective, client=client)
    with pytest.raises(ValueError, match="over 0 points"):
        wharf.Environment({"l1.ways": []}, ["vectoradd@tiny"], client=client)
    environment = wharf.Environment({"l1.ways": [4]}, ["vectoradd@tiny"], objective="max ipcc", client=client)
    with pytest.raises(ValueError, match="private has no metric 'ipcc'"):
        environment.step({"l1.ways": 4})
    with pytest.raises(ValueError, match="there is no agent 'magic'; there are optuna, nlopt, random"):
        search("magic", environment)


@pytest.mark.parametrize("package", ["optuna", "nlopt"])
def test_a_package_that_is_missing_is_named_with_the_remedy(client, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=f"has no package {package}: pip install {package}, .* apt-get install python3-{package}"):
        search(package, wharf.Environment({"l1.ways": [4]}, ["vectoradd@tiny"], client=client))


def test_agents_find_the_best_of_200_points_in_a_quarter_of_its_runs(client):
    """At least two of three seeds find the optimum; the third is within 1 %."""
    points = [dict(zip(GRID, values)) for values in itertools.product(*GRID.values())]
    results = client.run_many([{"config": "gpus/fermi_15sm", "stimulus": "cfd@tiny", "set": point, "seed": 1} for point in points])
    energies = [result["metrics"]["energy.total"] for result in results]
    least = min(energies)
    assert len(points) == 200 and energies.count(least) == 1
    for agent in ["optuna", "nlopt"]:
        pytest.importorskip(agent)
        found = 0
        for seed in [2, 3, 4]:
            environment = wharf.Environment(GRID, ["cfd@tiny"], config="gpus/fermi_15sm", objective="min energy.total", runs=50, client=client)
            best, value = search(agent, environment, seed=seed)
            assert len(environment.history) <= 50 and value <= 1.01 * least
            found += best == points[energies.index(least)]
        assert found >= 2, agent
    assert runs_made() == 200  # the agents tried only points of the grid


def test_a_sweep_with_an_agent_runs_what_the_agent_tries_and_shows_it(tmp_path):
    ended = sweep(SMALL, "--agent", "random", "--objective", "min cycles", "--points", "4")
    assert ended.returncode == 0, ended.stderr
    rows = search_csv()
    assert [row["run"] for row in rows] == ["1", "2", "3", "4"] and runs_made() == 4
    assert [float(row["best"]) for row in rows] == list(itertools.accumulate((float(row["cycles"]) for row in rows), min))
    best = min(rows, key=lambda row: float(row["cycles"]))
    assert ended.stdout.startswith(f"random: tried 4 of 6 machines; min cycles is {float(best['cycles']):.6g} with private l1.mshr_entries="
                                   f"{best['l1.mshr_entries']} l1.ways={best['l1.ways']}\n")
    with open("out/sweep.csv", encoding="utf8") as file:
        swept = list(csv.DictReader(file))
    assert [(row["l1.mshr_entries"], row["l1.ways"], float(row["cycles"])) for row in swept] == [
        (row["l1.mshr_entries"], row["l1.ways"], float(row["cycles"])) for row in rows]
    text = (tmp_path / "out/search.csv").read_text()
    again = sweep(SMALL, "--agent", "random", "--objective", "min cycles", "--points", "4")
    assert again.stdout == ended.stdout and (tmp_path / "out/search.csv").read_text() == text and runs_made() == 4
    assert "6 runs" not in again.stderr and sweep(SMALL).stderr.startswith("2 runs")  # the machines that the agent did not try


@pytest.mark.parametrize("agent", ["optuna", "nlopt"])
def test_a_sweep_takes_zipped_keys_and_configurations_as_dimensions(agent):
    pytest.importorskip(agent)
    text = ("configs: [private, gpus/fermi_15sm]\nstimuli: [vectoradd@tiny, gemm@tiny]\nvary: {l1.replacement: [lru, srrip]}\n"
            "zip: {l1.ways: [2, 4], l1.mshr_entries: [4, 32]}\nseed: 5\n")
    ended = sweep(text, "--agent", agent, "--points", "8")
    assert ended.returncode == 0, ended.stderr
    rows = search_csv()
    assert len(rows) == 8 and runs_made() == 16 and {row["config"] for row in rows} == {"private", "gpus/fermi_15sm"}
    assert sweep(text).stderr.startswith("0 runs")


def test_an_agent_searches_machines_for_the_kernels_of_recorded_traces(client):
    folder = ROOT / "tests/data/accelsim/traces"
    text = SMALL.replace("stimuli: [vectoradd@tiny]", f"stimuli: ['trace:{folder}/bfs:1', 'trace:{folder}/spmv']")
    ended = sweep(text, "--agent", "random", "--objective", "min cycles", "--points", "2")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "bfs:1" in ended.stdout and "spmv" in ended.stdout and runs_made() == 4
    environment = wharf.Environment({"l1.mshr_entries": [2, 32]}, [f"trace:{folder}/bfs:1"], objective="min cycles", client=client)
    rewards = [environment.step({"l1.mshr_entries": entries})[1] for entries in (2, 32)]
    assert -math.inf < rewards[0] < rewards[1] < 0



def test_a_sweep_says_what_is_wrong_with_its_agent(monkeypatch):
    searching = "configs: [private]\nstimuli: [vectoradd@tiny]\nsearch: {key: l1.ways, values: [2, 4], objective: max ipc}\n"
    wrong = [(SMALL, ["--points", "2"], "sweep: --points needs --agent; name one"),
             (SMALL, ["--agent", "magic"], "--agent magic: there is no agent 'magic'; there are optuna, nlopt, random"),
             (SMALL, ["--agent", "random", "--points", "7"], "--points: '7' is not a whole number from 1 to 6"),
             (SMALL, ["--agent", "random", "--objective", "ipc"], "--objective: is 'ipc'; write max or min and a metric, such as 'max ipc'"),
             (SMALL, ["--agent", "random", "--objective", "max ipcc"],
              f"private has no metric 'ipcc'; did you mean 'ipc'? `{PROGRAM} list metrics --config private` prints them"),
             (searching, ["--agent", "random"], "--agent: the file has its own search; remove `search` from it")]
    for text, arguments, message in wrong:
        ended = sweep(text, *arguments)
        assert (ended.returncode, ended.stderr) == (2, f"wharf: {message}\n")
    monkeypatch.setenv("WHARF_PYTHON", "no_python")
    ended = sweep(SMALL, "--agent", "random")
    assert (ended.returncode, ended.stderr) == (
        2, "wharf: --agent: no_python was not found; install it with apt-get install python3, or set WHARF_PYTHON\n")


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_sweep_that_is_stopped_leaves_nothing_running_and_continues(stop):
    text = "configs: [private]\nstimuli: ['synthetic:instructions=3000']\nvary: {l1.ways: [1, 2, 4, 8]}\n"
    with open("s.yaml", "w", encoding="utf8") as file:
        file.write(text)
    process = subprocess.Popen([PROGRAM, "sweep", "s.yaml", "--out", "out", "--agent", "random", "--points", "3"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    until(lambda: os.path.exists("out/search.csv"))
    until(lambda: os.path.exists("out/runs") and os.listdir("out/runs"))
    process.send_signal(stop)
    _, said = process.communicate()
    assert process.returncode == 128 + stop
    assert "finished runs are kept in out: the same command continues" in said
    until(lambda: processes_here() == {os.getpid()})
