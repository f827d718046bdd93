"""`wharf serve` from the client's view: runs, their records, errors, and every way to end."""

import json
import os
import resource
import signal
import socket
import sqlite3
import stat

import pytest
from serving import ENDLESS, QUICK, Connection, Server, until, wharf


@pytest.fixture
def server(tmp_path):
    with Server(tmp_path, "--jobs", "2") as started:
        yield started


def gone(pids):
    return lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids)


def test_a_run_returns_what_wharf_run_writes(server, tmp_path):
    server.run("a", set={"l1.ways": 8, "sm.warp_scheduler": "lrr", "oracle_directory": False})
    first = server.receive()
    assert first["id"] == "a"
    assert {**first["progress"], "elapsed_s": 0} == {"cycles": 0, "warp_instructions": 0, "elapsed_s": 0, "fraction": 0.0}
    result = server.answer()["result"]
    written = wharf("run", "private", "--stimulus", "vectoradd@tiny", "--set", "l1.ways=8", "--set", "sm.warp_scheduler=lrr", "--set",
                    "oracle_directory=false", "--out", "run", cwd=tmp_path)
    assert written.returncode == 0
    expected = json.loads((tmp_path / "run/result.json").read_text())
    assert result["metrics"] == expected["run"]
    assert result["inputs"] == expected["inputs"]
    assert (result["cached"], result["partial"]) == (False, False)
    for name in ["stats.csv", "config.yaml"]:
        assert (tmp_path / "run" / name).read_text() == open(os.path.join(result["folder"], name), encoding="utf8").read()


def test_a_finished_run_is_kept_for_the_next_server_and_for_a_sweep(server, tmp_path):
    server.run(1)
    simulated = server.answer()["result"]
    server.run(2)
    assert server.receive() == {"id": 2, "result": {**simulated, "cached": True}}
    assert server.end() == 0
    with Server(tmp_path) as other:
        other.run(1, set={"l1.ways": 4})  # the default
        assert other.receive()["result"]["cached"]
    (tmp_path / "s.yaml").write_text("configs: [private]\nstimuli: [vectoradd@tiny]\n")
    assert "0 runs" in wharf("sweep", "s.yaml", "--out", "out", cwd=tmp_path).stderr
    with sqlite3.connect(server.out / "runs.sqlite") as database:
        assert database.execute("select status, cycles from runs").fetchall() == [("done", simulated["metrics"]["cycles"])]


def test_equal_runs_asked_for_at_once_are_simulated_once(server):
    server.run(1, stimulus="gemm@tiny")
    server.run(2, stimulus="gemm@tiny")
    answers = server.answers(2)
    assert sorted(answers[id]["result"]["cached"] for id in [1, 2]) == [False, True]


def test_a_limit_makes_a_partial_result_that_is_kept_for_the_same_limit_alone(server, tmp_path):
    wharf("run", "private", "--stimulus", "vectoradd@tiny", "--limit-cycles", "500", "--out", "run", cwd=tmp_path)
    expected = json.loads((tmp_path / "run/result.json").read_text())["run"]
    assert expected["cycles"] in (499, 500)
    server.run(1, limits={"cycles": 500})
    server.run(2, limits={"warp_instructions": 1000})
    answers = server.answers(2)
    assert answers[1]["result"]["partial"] and answers[1]["result"]["metrics"] == expected
    assert answers[2]["result"]["partial"] and 1000 <= answers[2]["result"]["metrics"]["warp_instructions"] < 2000
    server.run(3, limits={"cycles": 500})
    server.run(4)
    answers = server.answers(2)
    assert answers[3]["result"]["cached"]
    assert not answers[4]["result"]["cached"] and not answers[4]["result"]["partial"]


def test_as_many_runs_as_jobs_go_at_once_and_the_others_wait(server):
    for id in [1, 2, 3]:
        server.run(id, stimulus=ENDLESS, seed=id)
    server.wait_for_progress(1, 2)
    assert len(server.children()) == 2
    server.send({"id": "c", "method": "cancel", "params": {"run": 1}})
    assert server.answer() == {"id": 1, "error": {"kind": "cancelled", "message": "the run was cancelled"}}
    assert server.answer() == {"id": "c", "result": {"cancelled": 1}}
    server.wait_for_progress(3)
    assert len(server.children()) == 2


def test_a_run_that_waits_can_be_cancelled_and_leaves_its_id_free(tmp_path):
    with Server(tmp_path, "--jobs", "1") as server:
        server.run(1, stimulus=ENDLESS)
        server.run(2)
        server.send({"id": 3, "method": "cancel", "params": {"run": 2}}, {"id": 4, "method": "cancel", "params": {"run": 1}})
        assert [server.answer()["id"] for _ in range(4)] == [2, 3, 1, 4]
        server.run(2)
        assert not server.answer()["result"]["cached"]


MISTAKES = [
    (b"run!", None, "the line is not JSON: unexpected character at byte 1"),
    (b'{"id": 1, "method": "describe"', None, "the line is not JSON: unexpected character at byte 31"),
    (b'"\xff"', None, "the line is not JSON: unexpected character at byte 2"),
    (b'{"id": 1e999}', None, "the line is not JSON: it contains a number that is too large"),
    (b"[1]", None, "the line is a list; write an object with id and method"),
    (b'{"method": "describe"}', None, "the request has no id; give it one, a text or a whole number"),
    (b'{"id": 1.5, "method": "describe"}', None, "the id is 1.5; write a text or a whole number"),
    (b'{"id": null, "method": "describe"}', None, "the id is null; write a text or a whole number"),
    (b'{"id": 1, "id": 2, "method": "describe"}', None, "the member 'id' is given twice; keep one"),
    ({"id": 1}, 1, "the request.method is missing; there are describe, run, cancel"),
    ({"id": 1, "method": "runs"}, 1, "the request.method is 'runs'; did you mean 'run'?"),
    ({"id": 1, "method": "stop"}, 1, "the request.method is 'stop'; there are describe, run, cancel"),
    ({"id": 1, "method": 7}, 1, "the request.method is a number; write a text"),
    ({"id": 1, "method": "run", "param": {}}, 1, "the request has no member 'param'; did you mean 'params'?"),
    ({"id": 1, "method": "run", "params": []}, 1, "params is a list; write an object"),
    ({"id": 1, "method": "run"}, 1, 'params.config is missing; name a configuration, such as "private"'),
    ({"id": 1, "method": "run", "params": {"config": "private"}}, 1,
     'params.stimulus or params.trace: give one of them, such as "stimulus": "gemm@tiny"'),
    ({"id": 1, "method": "run", "params": {**QUICK, "trace": "x"}}, 1,
     'params.stimulus or params.trace: give one of them, such as "stimulus": "gemm@tiny"'),
    ({"id": 1, "method": "run", "params": {**QUICK, "stimulus": ""}}, 1, "params.stimulus is empty"),
    ({"id": 1, "method": "run", "params": {**QUICK, "sets": {}}}, 1, "params has no member 'sets'; did you mean 'set'?"),
    ({"id": 1, "method": "run", "params": {**QUICK, "set": ["l1.ways=8"]}}, 1,
     'params.set is a list; write an object, such as {"l1.ways": 8}'),
    ({"id": 1, "method": "run", "params": {**QUICK, "set": {"l1": {"ways": 8}}}}, 1,
     "params.set.l1 is an object; write a number, true, false, a text or a list of these"),
    ({"id": 1, "method": "run", "params": {**QUICK, "set": {"l1.ways=8": 8}}}, 1, "params.set: 'l1.ways=8' is not a key; a key has no '='"),
    ({"id": 1, "method": "run", "params": {**QUICK, "seed": -1}}, 1,
     "params.seed is -1; write a whole number from 0 to 18446744073709551615"),
    ({"id": 1, "method": "run", "params": {**QUICK, "verify": 1}}, 1, "params.verify is a number; write true or false"),
    ({"id": 1, "method": "run", "params": {**QUICK, "limits": {"cycle": 5}}}, 1,
     "params.limits has no member 'cycle'; did you mean 'cycles'?"),
    ({"id": 1, "method": "run", "params": {**QUICK, "limits": {"cycles": 0}}}, 1,
     "params.limits.cycles is 0; write a whole number from 1 to 18446744073709551615"),
    ({"id": 1, "method": "cancel"}, 1, "params.run is missing; name the id of the run to end"),
    ({"id": 1, "method": "cancel", "params": {"run": "x"}}, 1, 'there is no open run with the id "x"'),
    (b"x" * (2**20 + 1), None, "the line is longer than 1048576 bytes"),
    (b"[" * 2**20, None, "the line is not JSON: unexpected character at byte 1048577"),
]


def test_every_bad_request_is_answered_and_the_server_goes_on(server):
    for line, id, message in MISTAKES:
        server.send(line)
        assert server.receive() == {"id": id, "error": {"kind": "bad_request", "message": message}}
    server.send(b"", b" \t\r", b'{"id": 1, "method": "run", "params": {"config": "private", "stimulus": "vectoradd@tiny"}}\r')
    assert "result" in server.answer()
    assert server.end() == 0


def test_an_id_in_use_is_refused_without_it(server):
    server.run("a", stimulus=ENDLESS)
    server.wait_for_progress("a")
    server.send({"id": "a", "method": "describe"})
    assert server.answer() == {"id": None, "error": {"kind": "bad_request", "message": 'the id "a" belongs to an open run; choose another'}}


def test_bad_input_is_reported_with_its_place_and_the_remedy(server, tmp_path):
    (tmp_path / "mine.yaml").write_text("extends: private\nl1:\n  wayz: 4\n")
    bad = [({"set": {"l1.wayz": 8}}, "--set l1.wayz=8: l1.wayz: unknown key; did you mean 'ways'?"),
           ({"set": {"l1.ways": 0}}, "--set l1.ways=0: l1.ways: '0' is out of range; write a whole number from 1 to 4096"),
           ({"set": {"l1.ways": 0.5}},
            "--set l1.ways=0.5: l1.ways: is '0.5'; write a whole number from 1 to 4096 in decimal digits only"),
           ({"config": "./mine.yaml"}, "./mine.yaml:3:3: l1.wayz: unknown key; did you mean 'ways'?"),
           ({"config": "privat"}, "there is no configuration 'privat'; did you mean 'private'?"),
           ({"stimulus": "vectoradd@small"}, "vectoradd@small: unknown size 'small'; vectoradd has tiny, std, paper"),
           ({"config": "ciao/best_swl"}, None)]
    for params, message in bad:
        server.run(1, **params)
        error = server.receive()["error"]
        assert error["kind"] == "bad_input"
        assert message is None or error["message"] == message
    assert "means the best of several runs" in error["message"]
    server.send({"id": 2, "method": "describe", "params": {"config": "privat"}})
    assert server.receive()["error"] == {"kind": "bad_input", "message": bad[4][1]}


def test_a_simulation_that_fails_says_why(server):
    server.run(1, stimulus="synthetic:loads=100,l1=0,l2=0,ctas=1,warps=1,instructions=20", set={"watchdog.interval_cycles": 100})
    error = server.answer()["error"]
    assert error["kind"] == "simulation_failed"
    assert error["message"].startswith("deadlock in cycle")


def test_a_run_that_crashes_is_reported_and_the_others_go_on(server):
    server.run(1, stimulus=ENDLESS)
    server.wait_for_progress(1)
    [child] = server.children()
    server.run(2, stimulus=ENDLESS, seed=2)
    server.wait_for_progress(2)
    os.kill(child, signal.SIGABRT)
    assert server.answer() == {"id": 1, "error": {"kind": "crashed", "message":
                                                  "the run ended with signal 6 (Aborted) and without a result"}}
    server.wait_for_progress(2)
    server.run(1)
    assert server.answer()["id"] == 1


def test_the_end_of_the_input_lets_open_runs_finish(server):
    server.run(1)
    server.send(b'{"id": 2, "method": "run", "params": {"config": "private", "stimulus": "gemm@tiny"}}')
    server.send_stream.write(b'{"id": 3, "method": "cancel", "params": {"run": 7}}')  # without a line feed
    assert server.end() == 0
    assert set(server.answers(3)) == {1, 2, 3}


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_runs_and_then_the_server(server, stop):
    for id in [1, 2, 3]:
        server.run(id, stimulus=ENDLESS, seed=id)
    server.wait_for_progress(1, 2)
    children = server.children()
    server.process.send_signal(stop)
    for id, answer in server.answers(3).items():
        assert answer == {"id": id, "error": {"kind": "cancelled", "message": "the server was stopped"}}
    assert server.process.wait(60) == 128 + stop
    until(gone(children))


def test_a_killed_server_leaves_no_run_behind(server):
    server.run(1, stimulus=ENDLESS)
    server.wait_for_progress(1)
    children = server.children()
    server.process.kill()
    server.process.wait()
    until(gone(children))


def test_a_client_that_is_gone_from_the_pipes_ends_the_server_and_its_runs(server):
    server.run(1, stimulus=ENDLESS)
    server.wait_for_progress(1)
    children = server.children()
    server.receive_stream.close()
    server.send_stream.close()
    assert server.process.wait(60) == 0
    until(gone(children))


def test_a_client_gone_from_the_socket_takes_its_runs_along_and_no_others(tmp_path):
    with Server(tmp_path, "--socket", "s", "--jobs", "2") as server:
        killed, other = Connection(tmp_path / "s"), Connection(tmp_path / "s")
        for id in [1, 2]:
            killed.run(id, stimulus=ENDLESS, seed=id)
        killed.wait_for_progress(1, 2)
        other.run(1)  # the same id, and no job is free yet
        other.send(b"half a line")
        assert other.answer()["id"] is None
        killed.close()
        assert "result" in other.answer()
        until(lambda: not server.children())
        assert server.process.poll() is None


def test_a_client_that_only_stops_asking_gets_its_answers(tmp_path):
    with Server(tmp_path, "--socket", "s"):
        client = Connection(tmp_path / "s")
        client.run(1)
        client.socket.shutdown(1)
        assert "result" in client.answer()
        assert client.receive_stream.readline() == b""  # then the server closes


def test_clients_take_turns(tmp_path):
    with Server(tmp_path, "--socket", "s", "--jobs", "1"):
        greedy, other = Connection(tmp_path / "s"), Connection(tmp_path / "s")
        greedy.run(0, stimulus=ENDLESS)
        greedy.wait_for_progress(0)
        for id in range(1, 5):
            greedy.run(id, stimulus=ENDLESS, seed=id)
        other.run(1)
        other.send({"id": 2, "method": "cancel", "params": {"run": 9}})
        assert other.answer()["id"] == 2  # so the server has read run 1
        greedy.send({"id": "c", "method": "cancel", "params": {"run": 0}})
        assert "result" in other.answer()  # before four runs that were submitted earlier
        assert set(greedy.answers(2)) == {0, "c"}
        greedy.wait_for_progress(1)


def test_the_socket_is_the_users_alone_and_no_other_file_is_touched(tmp_path):
    path = tmp_path / "s"
    with Server(tmp_path, "--socket", "s") as server:
        Connection(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        second = wharf("serve", "--socket", "s", cwd=tmp_path)
        assert (second.returncode, second.stderr) == (2, "wharf: --socket s: another server listens there; choose another path\n")
        server.process.kill()
    assert path.exists()
    with Server(tmp_path, "--socket", "s") as server:  # replaces the killed one
        Connection(path)
        server.process.terminate()
        assert server.process.wait(60) == 128 + signal.SIGTERM
    assert not path.exists()
    path.write_text("mine")
    third = wharf("serve", "--socket", "s", cwd=tmp_path)
    assert (third.returncode, third.stderr) == (2, "wharf: --socket s: is a file but not a socket; choose another path\n")
    assert path.read_text() == "mine"
    long = wharf("serve", "--socket", "s" * 108, cwd=tmp_path)
    assert long.returncode == 2 and "is longer than 107 bytes" in long.stderr


def test_a_server_that_is_stopped_as_soon_as_it_listens_removes_its_socket(tmp_path):
    for attempt in range(10):
        with Server(tmp_path, "--socket", "s") as server, socket.socket(socket.AF_UNIX) as client:
            while client.connect_ex(str(tmp_path / "s")) != 0:  # without a pause, to meet the first moment
                assert server.process.poll() is None
            server.process.terminate()
            assert server.process.wait(60) == 128 + signal.SIGTERM, attempt
        assert not (tmp_path / "s").exists()


def test_a_socket_of_which_it_is_not_known_whether_somebody_listens_stays(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagrams:
        datagrams.bind(str(tmp_path / "s"))
        refused = wharf("serve", "--socket", "s", cwd=tmp_path)
        assert refused.returncode == 2
        assert "--socket s: cannot find out whether a server listens there: Protocol wrong type for socket; " in refused.stderr
        assert stat.S_ISSOCK((tmp_path / "s").stat().st_mode)


def test_a_server_without_free_descriptors_disconnects_new_clients_and_serves_the_others(tmp_path):
    with Server(tmp_path, "--socket", "s") as server:
        first = Connection(tmp_path / "s")
        first.send({"id": 1, "method": "describe"})
        assert "result" in first.answer()
        open_now = max(int(number) for number in os.listdir(f"/proc/{server.process.pid}/fd")) + 1
        soft, hard = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (open_now, hard))
        assert Connection(tmp_path / "s").receive_stream.readline() == b""
        first.send({"id": 2, "method": "cancel", "params": {"run": 9}})
        assert first.answer()["id"] == 2
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (soft, hard))
        late = Connection(tmp_path / "s")
        late.send({"id": 3, "method": "describe"})
        assert "result" in late.answer()


def test_a_folder_that_cannot_be_used_is_said_at_once(tmp_path):
    (tmp_path / "out").write_text("mine")
    refused = wharf("serve", "--out", "out", cwd=tmp_path)
    assert refused.returncode == 2 and "out: cannot be written: out is no folder" in refused.stderr and refused.stdout == ""


def test_describe_has_every_key_with_type_range_unit_and_default(server):
    def described(config):
        server.send({"id": 1, "method": "describe", "params": {"config": config}})
        return server.receive()["result"]["properties"]

    private = described("private")
    keys = private["set"]["properties"]
    table = wharf("describe", "--markdown").stdout
    assert set(keys) == {line.split("`")[1] for line in table.splitlines() if line.startswith("| `")}
    for key, schema in keys.items():
        assert "default" in schema and schema["description"] and ("type" in schema or "anyOf" in schema), key
    capacity = {"type": "integer", "minimum": 1, "maximum": 1048576, "default": 16, "unit": "KiB"}
    assert capacity.items() <= keys["l1.capacity_kib"].items()
    assert keys["l1.mshr_targets"]["anyOf"] == [{"type": "integer", "minimum": 1, "maximum": 1048576}, {"const": "unlimited"}]
    assert [choice["const"] for choice in keys["sm.warp_scheduler"]["anyOf"]] == ["lrr", "gto", "two_level"]
    assert {"pattern": "^srrip:.+"} in keys["l2.replacement"]["anyOf"]
    assert keys["oracle_directory"]["type"] == "boolean" and keys["oracle_directory"]["default"] is True
    assert keys["sm.shared_splits_kib"]["type"] == "array"
    assert "gpus/fermi_15sm" in private["config"]["examples"] and "gemm@tiny" in private["stimulus"]["examples"]
    assert (keys["sms"]["default"], described("gpus/fermi_15sm")["set"]["properties"]["sms"]["default"]) == (80, 15)
