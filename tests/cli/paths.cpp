// A path in a file is relative to the file; a path on the command line is relative to the working directory. If a file is in the wrong
// place, the message names it and gives the right command.

#include <catch2/catch.hpp>
#include <filesystem>

#include "platforms/inputs/files.h"
#include "test_paths.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

/// Files that refer to one another, in folders of their own.
struct Files {
  Files() {
    folder.file("base.yaml", "extends: private\nl1: {ways: 8}\n");
    folder.file("sub/my.yaml", "extends: ../base.yaml\nl2: {ways: 4}\n");
    folder.file("sub/small.yaml", "extends: private\nl1: {capacity_kib: 8}\n");
    folder.file("sub/sw.yaml", "configs: [my.yaml]\nstimuli: [gemm@tiny]\nvary: {l1.mshr_entries: [8, 16]}\n");
    folder.file("sub/points.yaml",
                "configs: [my.yaml]\nstimuli: [gemm@tiny]\npoints:\n  - {name: one, set: {l1.mshr_entries: 8}}\n"
                "  - {name: two, extends: small.yaml, set: {l1.mshr_entries: 8}}\n");
    folder.file("sub/of_points.yaml", "configs: ['points.yaml:one', ../base.yaml, private]\nstimuli: [gemm@tiny]\n");
    folder.file(
        "sub/best.yaml",
        "configs: [private]\nstimuli: [gemm@tiny]\nsearch: {key: extends, values: [my.yaml, small.yaml], objective: max ipc, tie: first}\n");
    folder.file("sub/choice.yaml", "search: {key: extends, values: [my.yaml, ../base.yaml], objective: max ipc, tie: first}\n");
    folder.file("sub/chooses.yaml", "configs: [choice.yaml]\nstimuli: [gemm@tiny]\n");
    folder.file("sub/composed.yaml", "configs: ['my.yaml@48sm_8x8', 'private@gpu.yaml']\nstimuli: [gemm@tiny]\n");
    folder.file("sub/gpu.yaml", "extends: gpus/48sm_8x8\n");
    folder.file("sub/claims.yaml",
                "source: mine\nsystems: {fast: my.yaml}\nclaims:\n- {id: M-1, system: a, metric: IPC, value: 1, unit: percent,\n"
                "   measure: {system: fast, baseline: {config: small.yaml}, metric: ipc, workloads: [gemm@tiny]}}\n");
  }

  Ended run(const std::vector<std::string>& words) const { return wharf(folder, words); }
  /// Runs the program in a subfolder of these files.
  Ended run_in(const std::string& below, const std::string& line) const {
    return Program(folder, {"-c", "cd " + below + " && " + built_program() + ' ' + line}, "/bin/sh").wait();
  }

  TemporaryFolder folder;
};

TEST_CASE("every file that names configurations names them from its own folder, wherever the command is given") {
  const Files files;
  for (const char* sweep : {"sw", "points", "of_points", "best", "chooses", "composed"}) {
    const Ended above = files.run({"sweep", std::string("sub/") + sweep + ".yaml", "--dry-run"});
    const Ended inside = files.run_in("sub", std::string("sweep ") + sweep + ".yaml --dry-run");
    const Ended beside =
        files.run_in("sub/..", "sweep " + (files.folder / ("sub/" + std::string(sweep) + ".yaml")).string() + " --dry-run");
    INFO(sweep << '\n' << above.output << inside.output << beside.output);
    CHECK(above.exit_code == 0);
    CHECK(inside.exit_code == 0);
    CHECK(beside.exit_code == 0);
  }
  for (const char* name : {"sub/my.yaml", "sub/points.yaml:one", "sub/points.yaml:two", "sub/choice.yaml", "sub/my.yaml@48sm_8x8"}) {
    const Ended ended = files.run({"check", name});
    INFO(name << '\n' << ended.output);
    CHECK(ended.exit_code == 0);
  }
  CHECK(files.run({"reproduce", "--claims-file", "sub/claims.yaml", "--dry-run"}).exit_code == 0);
  CHECK(files.run_in("sub", "reproduce --claims-file claims.yaml --dry-run").exit_code == 0);
}

TEST_CASE("a sweep below the working directory runs the machines beside its file, and its table names them as a command can") {
  const Files files;
  const Ended ended = files.run({"sweep", "sub/sw.yaml", "--out", "o"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const auto runs = read_json(files.folder / "o/sweep.json")["runs"];
  REQUIRE(runs.size() == 2);
  CHECK(runs[0]["config"] == "sub/my.yaml");
  CHECK(files.run({"check", "sub/my.yaml"}).exit_code == 0);
}

TEST_CASE("a path that leads nowhere is refused where it stands, with the place where it was looked for") {
  const Files files;
  files.folder.file("sub/lost.yaml", "configs: [base.yaml]\nstimuli: [gemm@tiny]\n");
  const Ended sweep = files.run({"sweep", "sub/lost.yaml"});
  CHECK(sweep.exit_code == 2);
  CHECK_THAT(sweep.output,
             Contains("sub/lost.yaml:1:11: there is no configuration 'base.yaml'; there is no file sub/base.yaml: a path in a file is "
                      "relative to that file's folder"));
  files.folder.file("sub/lost_claims.yaml",
                    "source: mine\nclaims:\n- {id: M-1, system: a, metric: IPC, value: 1, unit: percent,\n"
                    "   measure: {system: base.yaml, baseline: private, metric: ipc, workloads: [gemm@tiny]}}\n");
  const Ended claims = files.run({"reproduce", "--claims-file", "sub/lost_claims.yaml"});
  CHECK(claims.exit_code == 2);
  CHECK_THAT(claims.output, Contains("sub/lost_claims.yaml:4:22: there is no configuration 'base.yaml'; there is no file sub/base.yaml"));
  const Ended command = files.run({"check", "my.yaml"});
  CHECK(command.exit_code == 2);
  CHECK_THAT(command.output,
             Contains("there is no configuration 'my.yaml'; there is no file my.yaml below ") && Contains(files.folder.path().string()));
  files.folder.file("sub/extends.yaml", "extends: base.yaml\n");
  CHECK_THAT(files.run({"check", "sub/extends.yaml"}).output, Contains("there is no file sub/base.yaml: a path in a file is relative"));
}

TEST_CASE("describe takes files, points of files and composed names") {
  const Files files;
  files.folder.file(
      "ways.yaml",
      "description: how many ways\nconfigs: [private]\nstimuli: [gemm@tiny]\npoints:\n  - {name: ways_8, set: {l1.ways: 8}}\n");
  files.folder.file("told.yaml", "extends: private\ndescription: with words\n");
  const auto described = [&](const std::string& name) {
    const Ended ended = files.run({"describe", name});
    INFO(name << '\n' << ended.output);
    CHECK(ended.exit_code == 0);
    return ended.output;
  };
  CHECK(described("ways.yaml") == "ways.yaml: how many ways; its points are ways_8\n");
  CHECK(described("ways.yaml:ways_8") == "ways.yaml:ways_8: private with l1.ways=8\n");
  CHECK(described("told.yaml") == "told.yaml: with words\n");
  CHECK_THAT(described("ata+loscache"), Contains("ata+loscache: "));
  files.folder.file("wrong.yaml", "extends: private\nl1: {wayz: 4}\n");
  const Ended wrong = files.run({"describe", "wrong.yaml"});
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.output, Contains("wrong.yaml:2:6: l1.wayz: unknown key"));
}

TEST_CASE("a file or folder in the place of another kind is named, with the command for it") {
  const Files files;
  files.folder.file("c.ckpt", "wharf checkpoint 1\n{}\n");
  REQUIRE(files.run({"run", "private", "--stimulus", "vectoradd@tiny", "--out", "done", "--quiet"}).exit_code == 0);
  fs::copy(fs::path(WHARF_SOURCE_DIR) / "tests/data/accelsim/micro/chase_l1_1000", files.folder / "recorded");
  const std::string suites = WHARF_SOURCE_DIR "/stimuli/suites.yaml";
  const struct {
    std::vector<std::string> words;
    std::string says;
  } kWrong[] = {
      {{"run", "sub/sw.yaml", "--stimulus", "gemm@tiny"}, "sub/sw.yaml:1:1: is a sweep; run `wharf sweep sub/sw.yaml`"},
      {{"check", "sub/points.yaml"},
       "is a sweep; run `wharf sweep sub/points.yaml`, or name one of its points, such as sub/points.yaml:one"},
      {{"explain", "sub/sw.yaml", "--stimulus", "gemm@tiny"}, "is a sweep; run `wharf sweep sub/sw.yaml`"},
      {{"compare", "private", "sub/sw.yaml", "--stimuli", "gemm@tiny"}, "is a sweep; run `wharf sweep sub/sw.yaml`"},
      {{"vp", "--config", "sub/sw.yaml"}, "is a sweep; run `wharf sweep sub/sw.yaml`"},
      {{"trace", "export", "--stimulus", "gemm@tiny", "--config", "sub/sw.yaml", "--out", "t"}, "is a sweep"},
      {{"run", "sub/sw.yaml@48sm_8x8", "--stimulus", "gemm@tiny"}, "is a sweep"},
      {{"run", "sub/claims.yaml", "--stimulus", "gemm@tiny"}, "is a file of claims; run `wharf reproduce --claims-file sub/claims.yaml`"},
      {{"run", suites, "--stimulus", "gemm@tiny"}, "is a list of suites"},
      {{"run", "done", "--stimulus", "gemm@tiny"},
       "done: is the folder of a finished run; `wharf explain done` explains it, and done/config.yaml"},
      {{"run", "done/result.json", "--stimulus", "gemm@tiny"}, "is the result of a run; `wharf explain done` explains it"},
      {{"run", "recorded", "--stimulus", "gemm@tiny"}, "recorded: is a trace; `wharf run CONFIG --trace recorded` runs it"},
      {{"run", "c.ckpt", "--stimulus", "gemm@tiny"}, "is a checkpoint; `wharf run CONFIG --stimulus SPEC --load c.ckpt` goes on from it"},
      {{"sweep", "sub/my.yaml"}, "is a configuration; run `wharf run sub/my.yaml --stimulus gemm@std`"},
      {{"sweep", "private"}, "is a configuration; run `wharf run private --stimulus gemm@std`"},
      {{"sweep", "sub/claims.yaml"}, "is a file of claims"},
      {{"sweep", "done"}, "is the folder of a finished run"},
      {{"sweep", "recorded"}, "is a trace"},
      {{"reproduce", "--claims-file", "sub/sw.yaml"}, "is a sweep; run `wharf sweep sub/sw.yaml`"},
      {{"reproduce", "--claims-file", "sub/my.yaml"}, "is a configuration"},
      {{"reproduce", "--claims-file", "done"}, "is the folder of a finished run"},
      {{"run", "private", "--trace", "sub/my.yaml"}, "is a configuration"},
      {{"run", "private", "--trace", "sub/sw.yaml"}, "is a sweep"},
      {{"run", "private", "--trace", "done"}, "is the folder of a finished run"},
      {{"run", "private", "--trace", "c.ckpt"}, "is a checkpoint"},
      {{"trace", "check", "sub/sw.yaml"}, "is a sweep"},
      {{"trace", "info", "done"}, "is the folder of a finished run"},
      {{"vp", "sub/my.yaml", "--config", "private"}, "is a configuration"},
      {{"run", "private", "--stimulus", "vectoradd@tiny", "--load", "sub/sw.yaml"}, "is a sweep"},
      {{"run", "private", "--stimulus", "vectoradd@tiny", "--plugin", "sub/my.yaml"}, "is a configuration"},
      {{"explain", "out/not_there"}, "there is no folder out/not_there"},
      {{"explain", "recorded"}, "is a trace"},
      {{"explain", "sub"}, "sub: has no result.json"},
      {{"describe", "recorded"}, "is a trace"},
  };
  for (const auto& wrong : kWrong) {
    const Ended ended = files.run(wrong.words);
    INFO(Catch::Detail::stringify(wrong.words) << '\n' << ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains(wrong.says));
    CHECK_THAT(ended.output, !Contains("unknown key"));
  }
}

TEST_CASE("a conflict that a point makes with a key that it does not set names both") {
  const Files files;
  files.folder.file("p.yaml", "configs: [private]\nstimuli: [gemm@tiny]\npoints:\n  - {name: odd, set: {l1.ways: 5}}\n");
  const Ended ended = files.run({"sweep", "p.yaml"});
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  files.folder.file("wide.yaml", "extends: private\nl1: {ways: 16}\n");
  files.folder.file("r.yaml",
                    "configs: [private]\nstimuli: [gemm@tiny]\npoints:\n  - {name: odd, extends: wide.yaml, set: {l1.capacity_kib: 17}}\n");
  const Ended derived = files.run({"sweep", "r.yaml"});
  INFO(derived.output);
  CHECK(derived.exit_code == 2);
  CHECK_THAT(derived.output, Contains("wide.yaml:2:") && Contains("change l1.ways together with l1.capacity_kib"));
}

}  // namespace
}  // namespace wharf::cli
