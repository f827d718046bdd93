"""The Python package from the user's view: single and parallel runs, the space, tables, errors, termination, installation."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading

import pytest
import wharf
from serving import ENDLESS, PROGRAM, ROOT, Connection, Server, until
from wharf.server import find_program

PACKAGE = ROOT / "platforms/python"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def client():
    with wharf.Client(jobs=2) as started:
        yield started


def children_of(client):
    pid = client._server._process.pid
    return pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def test_run_returns_plain_dictionaries_with_what_wharf_run_measures(tmp_path):
    result = wharf.run("private", "vectoradd@tiny", set={"l1.ways": 8}, seed=2, verify=True, limits={"cycles": 1000})
    subprocess.run([PROGRAM, "run", "private", "--stimulus", "vectoradd@tiny", "--set", "l1.ways=8", "--seed", "2", "--verify", "--limit-cycles",
                    "1000", "--quiet", "--out", "run"], check=True)
    expected = json.loads((tmp_path / "run/result.json").read_text())
    assert type(result) is dict and type(result["metrics"]) is dict
    assert result["metrics"] == expected["run"] and result["inputs"] == expected["inputs"]
    assert result["partial"] and not result["cached"]
    assert wharf.run("private", "vectoradd@tiny", set={"l1.ways": 8}, seed=2, verify=True, limits={"cycles": 1000}) == {**result, "cached": True}


def test_a_trace_can_be_run(client):
    trace = ROOT / "tests/data/accelsim/traces/vectoradd"
    [trace] = [path for path in trace.rglob("kernelslist.g*")][:1]
    result = client.run("gpus/volta_qv100", trace=str(trace), limits={"cycles": 200})
    assert result["inputs"]["stimulus"] == f"trace:{trace}" and result["partial"]


def test_a_folder_of_traces_runs_on_several_machines_and_makes_one_table(client):
    folder = ROOT / "tests/data/accelsim/traces"
    stimuli = [f"trace:{path.parent}:1" for path in sorted(folder.glob("*/kernelslist.g"))]
    requests = [{"config": config, "stimulus": stimulus, "limits": {"cycles": 200}} for stimulus in stimuli for config in ("private", "ciao/gto")]
    rows = wharf.rows(client.run_many(requests, progress=False))
    assert len(stimuli) == 5
    assert [(row["config"], row["stimulus"]) for row in rows] == [(request["config"], request["stimulus"]) for request in requests]
    again = client.run("private", f"trace:{folder}/./bfs:1-1", limits={"cycles": 200})
    assert again["cached"] and again["metrics"]["cycles"] == rows[0]["cycles"] == 199


def test_a_run_says_what_it_was_warned_of_and_strict_opcodes_refuse_it(client, tmp_path):
    lines = "0000 ffffffff 0 FROB.E 2 R2 R4 4 1 0x7fb2c0000000 4 0\n0010 ffffffff 0 EXIT 0 0 0\n"
    trace = tmp_path / "kernel-1.traceg"
    trace.write_text("-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n-binary version = 90\n"
                     "-accelsim tracer version = 5\n#traces format\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n" + lines + "#END_TB\n")
    for _ in range(2):  # first simulated, then from the records
        result = client.run("private", trace=str(trace))
        assert result["warnings"] == [{"text": f"unknown opcode 'FROB.E', taken as a generic store (first at {trace}:13)", "count": 1}]
        assert result["metrics"]["l2.accesses"] == 1
    with pytest.raises(wharf.BadInput, match="kernel-1.traceg:13: unknown opcode 'FROB.E'"):
        client.run("private", trace=str(trace), strict_opcodes=True)


def test_space_has_every_key_with_what_it_may_be(client):
    space = client.space("gpus/fermi_15sm")
    assert {name: value for name, value in space["l1.capacity_kib"].items() if name != "description"} == {
        "type": "integer", "minimum": 1, "maximum": 1048576, "default": 16, "unit": "KiB"}
    assert space["l1.replacement"]["choices"] == ["lru", "fifo", "random", "tree_plru", "srrip", "drrip", "ship"]
    assert space["l1.replacement"]["arguments"] == ["srrip", "drrip", "ship"]
    assert space["l1.mshr_targets"]["choices"] == ["unlimited"] and space["l1.mshr_targets"]["maximum"] == 1048576
    assert space["oracle_directory"]["type"] == "boolean"
    assert (space["sm.shared_splits_kib"]["type"], space["sm.shared_splits_kib"]["minimum"]) == ("array", 0)
    assert space["sms"]["default"] == 15 and wharf.space()["sms"]["default"] == 80


def test_every_default_of_the_space_can_be_set(client):
    """Sets one key at a time to its default, to test that a run accepts what the schema allows."""
    space = client.space()
    requests = [{"config": "private", "stimulus": "vectoradd@tiny", "set": {key: space[key]["default"]}} for key in
                ["l1.capacity_kib", "l1.replacement", "l1.mshr_targets", "oracle_directory", "clock_mhz.core", "l2.slice_kib"]]
    metrics = [result["metrics"] for result in client.run_many(requests)]
    assert all(one == metrics[0] for one in metrics)


def test_run_many_returns_results_in_the_order_of_the_requests(client):
    ways = [8, 4, 2, 1]
    seen = []
    results = client.run_many([{"config": "private", "stimulus": "gemm@tiny", "set": {"l1.ways": way}} for way in ways], progress=seen.append)
    assert [result["inputs"]["set"] for result in results] == [[f"l1.ways={way}"] for way in ways]
    assert sorted(result["key"] for result in seen) == sorted(result["key"] for result in results)


def test_a_failure_among_many_cancels_the_others_or_stands_in_its_place(client):
    bad = {"config": "private", "stimulus": "vectoradd@tiny", "set": {"l1.wayz": 1}}
    with pytest.raises(wharf.BadInput, match="l1.wayz: unknown key; did you mean 'ways'"):
        client.run_many([{"config": "private", "stimulus": ENDLESS}, bad])
    until(lambda: not children_of(client))
    good, failed = client.run_many([{"config": "private", "stimulus": "vectoradd@tiny"}, bad], errors="return")
    assert good["metrics"]["warp_instructions"] == 15360 and isinstance(failed, wharf.BadInput)
    with pytest.raises(ValueError, match="'raise' or 'return'"):
        client.run_many([], errors="ignore")


def test_rows_and_frame_have_what_was_set_and_every_metric(client):
    results = client.run_many([{"config": "private", "stimulus": "vectoradd@tiny", "set": {"l1.ways": ways, "l1.replacement": policy}}
                               for ways, policy in [(4, "lru"), (8, "fifo")]])
    rows = wharf.rows(results)
    assert [(row["config"], row["l1.ways"], row["l1.replacement"], row["stimulus"], row["seed"]) for row in rows] == [
        ("private", "4", "lru", "vectoradd@tiny", 1), ("private", "8", "fifo", "vectoradd@tiny", 1)]
    assert rows[0]["ipc"] == results[0]["metrics"]["ipc"]
    pytest.importorskip("pandas")
    frame = wharf.frame(results)
    assert list(frame["l1.ways"]) == [4, 8] and list(frame["l1.replacement"]) == ["lru", "fifo"]
    assert list(frame["ipc"]) == [row["ipc"] for row in rows]


def test_progress_is_given_to_a_function_and_drawn_by_tqdm(client, capsys):
    seen = []
    client.run("private", "vectoradd@tiny", progress=seen.append)
    assert seen[0]["cycles"] == 0 and seen[0]["fraction"] == 0.0
    run = client.submit("private", ENDLESS)
    until(lambda: run.progress and run.progress["cycles"] > 0)
    run.cancel()
    pytest.importorskip("tqdm")
    client.run_many([{"config": "private", "stimulus": "vectoradd@tiny"}] * 2, progress=True)
    assert "0/2" in capsys.readouterr().err
    client.run("private", "gemm@tiny", progress=True)
    assert "private gemm@tiny" in capsys.readouterr().err
    client.run("private", "gemm@tiny")  # not a terminal
    assert capsys.readouterr().err == ""


def test_an_error_of_the_callers_function_ends_the_run_and_is_raised(client):
    def fails(progress):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        client.run("private", ENDLESS, progress=fails)
    until(lambda: not children_of(client))
    assert client.run("private", "vectoradd@tiny")["metrics"]


def test_a_run_can_be_cancelled_and_given_up_after_a_time(client):
    run = client.submit("private", ENDLESS)
    run.cancel()
    with pytest.raises(wharf.Cancelled, match="the run was cancelled"):
        run.result()
    run.cancel()  # a second call has no effect
    with pytest.raises(TimeoutError, match="more than 0.1 s, and was cancelled"):
        client.run("private", ENDLESS, timeout=0.1)
    until(lambda: not children_of(client))


def test_each_kind_of_failure_has_its_exception(client):
    with pytest.raises(wharf.BadRequest, match="give one of them"):
        client.run("private")
    with pytest.raises(wharf.BadInput, match="there is no configuration 'privat'"):
        client.run("privat", "vectoradd@tiny")
    with pytest.raises(wharf.SimulationFailed, match="deadlock in cycle"):
        client.run("private", "synthetic:loads=100,l1=0,l2=0,ctas=1,warps=1,instructions=20", set={"watchdog.interval_cycles": 100})
    run = client.submit("private", ENDLESS)
    until(lambda: run.progress)
    [child] = children_of(client)
    os.kill(int(child), signal.SIGKILL)
    with pytest.raises(wharf.Crashed, match="signal 9"):
        run.result()


def test_threads_share_a_client(client):
    results = {}

    def work(ways):
        results[ways] = client.run("private", "gemm@tiny", set={"l1.ways": ways})

    threads = [threading.Thread(target=work, args=[ways]) for ways in [1, 2, 4, 8]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(result["inputs"]["set"] == [f"l1.ways={ways}"] for ways, result in results.items()) and len(results) == 4


def test_a_server_that_ends_is_reported_and_the_shared_one_comes_back(client):
    run = client.submit("private", ENDLESS)
    client._server._process.kill()
    with pytest.raises(wharf.ServerEnded, match="ended with code -9"):
        run.result()
    with pytest.raises(wharf.ServerEnded):
        client.run("private", "vectoradd@tiny")
    wharf.run("private", "vectoradd@tiny")
    shared = wharf.client.default_client()
    shared._server._process.kill()
    until(lambda: shared.closed)
    assert wharf.run("private", "vectoradd@tiny")["metrics"]


def test_a_server_that_cannot_start_says_why(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    with pytest.raises(wharf.ServerEnded, match="cannot be written"):
        wharf.Client(out="file").run("private", "vectoradd@tiny")
    with pytest.raises(wharf.ServerEnded, match="there is no program nothing"):
        wharf.Client("nothing")
    monkeypatch.delenv("WHARF_PROGRAM")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("wharf.server.__file__", str(tmp_path / "a/b/c/server.py"))
    with pytest.raises(wharf.ServerEnded, match="set WHARF_PROGRAM"):
        find_program()
    (tmp_path / "wharf").symlink_to(PROGRAM)
    assert find_program() == str(tmp_path / "wharf")


def test_a_client_can_use_a_server_that_listens(tmp_path):
    with pytest.raises(wharf.ServerEnded, match="start a server with: wharf serve --socket s"):
        wharf.Client(socket="s")
    with Server(tmp_path, "--socket", "s") as server:
        Connection("s").close()  # the server listens a little later than its file is there
        with wharf.Client(socket="s") as client:
            assert client.run("private", "vectoradd@tiny")["metrics"]
            run = client.submit("private", ENDLESS)
            until(lambda: run.progress)
        until(lambda: not server.children())  # the client's run ended with it
        with pytest.raises(wharf.ServerEnded):
            run.result()
        left = wharf.Client(socket="s").submit("private", ENDLESS)
        server.process.kill()
        with pytest.raises(wharf.ServerEnded, match="the server has closed the connection"):
            left.result()


def test_the_package_installs_with_pip_from_a_checkout(tmp_path):
    pytest.importorskip("setuptools")
    copy = tmp_path / "package"
    shutil.copytree(PACKAGE, copy)  # because pip writes files beside the sources
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-index", "--no-build-isolation", "--quiet"]
    if subprocess.run([*pip, "--help"], capture_output=True, check=False).returncode != 0:
        pytest.skip("python3-pip is missing")
    subprocess.run([*pip, "--target", "site", str(copy)], env=environment, check=True)
    assert (tmp_path / "site/wharf/py.typed").exists()
    script = ("import importlib.metadata, wharf; print(wharf.__file__); print('wharf', importlib.metadata.version('wharf'));"
              "print(wharf.run('private', 'vectoradd@tiny')['metrics']['warp_instructions'])")
    ran = subprocess.run([sys.executable, "-c", script], env={**environment, "PYTHONPATH": "site"}, capture_output=True, text=True, check=True)
    version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    assert re.fullmatch(f".*/site/wharf/__init__.py\n{re.escape(version)}15360\n", ran.stdout)
