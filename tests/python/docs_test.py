"""Runs every example of the pages about `wharf serve` and its clients, from top to bottom, in a separate folder per page."""

import json
import os
import subprocess
import sys

import pytest
from pages import blocks_of, file_named_in
from serving import PROGRAM, Server

PAGES = {"docs/serve.md": [], "platforms/python/README.md": [], "docs/howto-search.md": ["optuna", "nlopt"]}  # and packages needed


def is_part_of(shown, whole):
    """True if each member of the shortened object equals that of the whole object."""
    if isinstance(shown, dict):
        return isinstance(whole, dict) and all(name in whole and is_part_of(value, whole[name]) for name, value in shown.items())
    return shown == whole


def replay(conversation, folder):
    with Server(folder, "--jobs", "2") as server:
        unread = []
        for line in conversation.splitlines():
            text = line[2:]
            if line.startswith("> "):
                server.send(text.encode())
                continue
            shown = json.loads(text)

            def answers(whole):
                return whole["id"] == shown["id"] and list(whole)[1] == list(shown)[1]

            while not any(map(answers, unread)):
                unread.append(server.receive())
            whole = next(filter(answers, unread))
            unread.remove(whole)
            assert is_part_of(shown, whole), whole


def run_shell(text, folder):
    if not (folder / "wharf").exists():
        (folder / "wharf").symlink_to(PROGRAM)
    environment = {**os.environ, "WHARF_PROGRAM": PROGRAM, "WHARF_PYTHON": sys.executable}
    ended = subprocess.run(["bash", "-ec", text + "\nkill $(jobs -p) 2>/dev/null || true"], cwd=folder, env=environment, capture_output=True,
                           text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_run(page, tmp_path, monkeypatch):
    for package in PAGES[page]:
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    names = {}  # shared by the Python examples, which use earlier ones
    count = 0
    for before, block in blocks_of(page):
        count += 1
        file = file_named_in(before) if "save it as" in before else None
        if file:
            (tmp_path / file).write_text(block + "\n", encoding="utf8")
        elif block.startswith("> "):
            replay(block, tmp_path)
        elif block.startswith(("./wharf", "printf")):
            run_shell(block, tmp_path)
        elif block.startswith(("import", "from")):
            exec(compile(block, f"{page}, example {count}", "exec"), names)
        else:
            is_known = block.startswith("python3 -m venv") or "points" in block.splitlines()[-1]  # client_test.py installs it; a curve
            assert is_known, f"{page}: what is this? {block}"
    assert count > 0


def test_a_shortened_object_is_part_of_the_whole():
    assert is_part_of({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}, "d": 3})
    assert not is_part_of({"a": {"b": 1}}, {"a": {"b": 2}})
    assert not is_part_of({"a": {"b": 1}}, {"a": {}})
    assert not is_part_of({"a": {"b": 1}}, {"a": 1})
