"""Checks that every command and YAML file of every page works as printed. Short commands run; --dry-run checks all others."""

import re
import shlex
import subprocess

import pytest
from pages import blocks_of, file_named_in
from serving import PROGRAM, ROOT

PAGES = sorted(str(page.relative_to(ROOT)) for pattern in ("README.md", "docs/*.md", "model/**/*.md", "platforms/**/*.md", "stimuli/**/*.md", "tests/*/*.md")
               for page in ROOT.glob(pattern))

OF_WRAPPER = {"setup", "docs", "test", "help"}  # commands of the wrapper, not the program; tests/lint checks their options
READING = {"list", "describe", "check", "man", "completion"}  # short commands
DRY = {"run", "compare", "explain", "sweep", "reproduce", "validate", "vp", "trace", "cuda"}  # have --dry-run

# Covered by other tests: tests/plugin, tests/rtl and tests/cuda; docs_test.py covers serve and its pages.
ELSEWHERE = ("--plugin", "first_touch_rtl", " serve", " bench", "wharf nvcc", "out/scan", "cuda inspect")

# Files that replace the placeholders of the pages.
STAND_INS = {
    "DIR/kernelslist.g": "tests/data/accelsim/micro/chase_l1_1000/kernelslist.g",
    "DIR": "trace",
    "FIRMWARE.elf": "demo",
    "mine.elf": "demo",
    "my.yaml": "my.yaml",
    "SPEC.yaml": "SPEC.yaml",
    "cuda:app.wcr": "cuda:tests/data/cuda/vector_addition.wcr",
    "cuda:app.wcr,gemm@std": "cuda:tests/data/cuda/vector_addition.wcr,gemm@std",
    **{f"cuda:app.wcr:{words}": f"cuda:tests/data/cuda/vector_addition.wcr:{there}"
       for words, there in (("3-7", "1"), ("gemm*:2", "a*:1"), ("1/10", "1/10"), ("9-:warm", "1-:warm"),
                            ("limit_warp_instructions=1000000", "limit_warp_instructions=1000000"))},
    "totals.csv": "tests/data/accelsim/results.csv",
    "my_traces": "tests/data/accelsim/traces",
    "[CONFIGS...]": "",
}
OWN_FILES = {
    "my.yaml": "extends: private\n",
    "my_shared.yaml": "extends: shared_l1\n",
    "programs.yaml": "programs: {bfs: 'cuda:app.wcr'}\n",
    "SPEC.yaml": "configs: [private]\nstimuli: [gemm@tiny]\nvary: {l1.ways: [4, 8]}\n",
    "saxpy.ptx": (ROOT / "tests/data/ptx/saxpy.ptx").read_text(encoding="utf8"),
    "other.ptx": (ROOT / "tests/data/ptx/saxpy.ptx").read_text(encoding="utf8"),
}
CLAIMS = "source: mine\nclaims:\n- {id: D5-028, system: Pr40, metric: IPC, value: 10, unit: percent}\n"


def wharf(folder, *words):
    return subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Runs that examples load or explain, at the smallest size."""
    folder = tmp_path_factory.mktemp("finished")
    for words in (["--stimulus", "gemm@tiny", "--explain"], ["--stimulus", "bfs@tiny", "--save-at", "2", "warm.ckpt", "--quiet"]):
        ended = wharf(folder, "run", "private", *words, "--out", words[1].split("@")[0])
        assert ended.returncode == 0, ended.stderr
    return folder


@pytest.fixture
def place(tmp_path, finished):
    """A writable copy of the project, with the results of earlier examples."""
    for name in ("docs", "model", "platforms", "policies", "stimuli", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    for name in ("gemm", "gemm64", "private", "pr40", "whole"):
        (tmp_path / "out" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "out" / name).symlink_to(finished / "gemm")
    for warm in ("warm.ckpt", "out/warm.ckpt"):
        (tmp_path / warm).symlink_to(finished / "warm.ckpt")
    trace = tmp_path / "trace"
    trace.mkdir()
    for file in (ROOT / "tests/data/accelsim/micro/chase_l1_1000").iterdir():
        (trace / file.name).write_bytes(file.read_bytes())
    (tmp_path / "app.wcr").write_bytes((ROOT / "tests/data/cuda/vector_addition.wcr").read_bytes())
    for name, text in OWN_FILES.items():
        (tmp_path / name).write_text(text, encoding="utf8")
    return tmp_path


def at_small_size(text):
    """Replaces sizes, because the checkpoints are of runs at the smallest size."""
    return text.replace("bfs@std", "bfs@tiny")


def words_of(line):
    """The words of a command without its comment, with placeholders replaced by files."""
    words = shlex.split(line, comments=True)[1:]
    if "--load" in words:
        words = [at_small_size(word) for word in words]
    return [STAND_INS.get(word, word) for word in words if STAND_INS.get(word, word)]


def is_short(words):
    sizes = [word for word in words if "@" in word]
    return words[0] == "run" and sizes != [] and all(word.endswith("@tiny") for word in sizes)


def check_command(line, folder):
    words = words_of(line)
    if not words or words[0] in OF_WRAPPER or any(text in line for text in ELSEWHERE):
        return
    assert words[0] in READING | DRY, f"what is this? {line}"
    reads = words[0] in READING or (words[0] == "trace" and words[1] != "export")
    if words[:3] == ["reproduce", "--claims-file", "my.yaml"]:
        (folder / "my.yaml").write_text(CLAIMS, encoding="utf8")
    dry = [] if reads or is_short(words) else ["--dry-run"]
    ended = wharf(folder, words[0], *dry, *words[1:])  # arguments after -- belong to another program
    assert ended.returncode == 0, f"{line}\n{ended.stdout}{ended.stderr}"
    (folder / "my.yaml").write_text(OWN_FILES["my.yaml"], encoding="utf8")


def check_yaml(block, name, folder):
    keys = set(re.findall(r"^([a-z_]+):", block, re.MULTILINE))
    if keys & {"paired"} or "lfu" in block:  # needs the plugin of tests/plugin
        return
    if keys == {"search"}:
        block = "configs: [private]\nstimuli: [gemm@tiny]\n" + block
    if "load" in keys:
        block = at_small_size(block)
    (folder / name).write_text(block + "\n", encoding="utf8")
    if "launches" in keys:
        commands = [["run", "private", "--launch", name]]
    elif "programs" in keys:
        commands = [["reproduce", "--programs", name, "--dry-run"]]
    elif "claims" in keys:
        commands = [["reproduce", "--claims-file", name, "--dry-run"]]
    elif keys & {"configs", "stimuli", "suites", "search"}:
        commands = [["sweep", name, "--dry-run"], ["describe", name]]
        commands += [[command, f"{name}:{point}"] for point in re.findall(r"- \{name: (\w+), (?:extends|set)", block) for command in ("check", "describe")]
    else:
        commands = [["check", name], ["describe", name]]
    for words in commands:
        ended = wharf(folder, *words)
        assert ended.returncode == 0, f"{block}\n{words}\n{ended.stdout}{ended.stderr}"


def is_yaml(block):
    keys = {"configs", "extends", "claims", "search", "platform", "points", "launches", "programs"}
    return bool(keys & set(re.findall(r"^([a-z_]+):", block, re.MULTILINE))) and "#SBATCH" not in block


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_and_files_of_a_page_are_good(page, place):
    for number, (before, block) in enumerate(blocks_of(page)):
        if is_yaml(block):
            check_yaml(block, file_named_in(before) or f"example{number}.yaml", place)
            continue
        for line in re.sub(r"\\\n\s*", " ", block).splitlines():
            if line.startswith(("./wharf ", "wharf ")) and "|" not in line.split("#")[0]:
                check_command(line, place)


def test_pages_and_examples_are_found():
    assert {"README.md", "docs/commands.md", "docs/howto-sweep.md"} <= set(PAGES)
    lines = [line for page in PAGES for _, block in blocks_of(page) for line in block.splitlines() if line.startswith("./wharf ")]
    assert len(lines) > 100
    assert sum(is_yaml(block) for page in PAGES for _, block in blocks_of(page)) > 9


def test_a_wrong_command_and_a_wrong_file_are_found(place):
    for line in ("./wharf run private --stimulus gemn@std", "./wharf sweep no.yaml", "./wharf compare privat", "./wharf fly"):
        with pytest.raises(AssertionError):
            check_command(line, place)
    with pytest.raises(AssertionError):
        check_yaml("configs: [private]\nstimuli: [gemm@tiny]\nvary: {l1.wayz: [1]}", "s.yaml", place)
