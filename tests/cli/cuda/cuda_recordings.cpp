// A recorded CUDA program wherever a stimulus can stand. None of these tests needs clang.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "stimuli/cuda/recording/recording_reader.h"
#include "test_paths.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

/// stimuli/cuda/programs/vector_addition.cu with 1000 elements.
const std::string kRecording = WHARF_SOURCE_DIR "/tests/data/cuda/vector_addition.wcr";

/// A copy of the recording in which the host has read something else.
void write_other_results(const std::string& path) {
  cuda::RecordingReader reader(kRecording);
  cuda::RecordingWriter writer(path, reader.header().command);
  cuda::RecordKind kind;
  std::string body;
  const auto copy = [&](auto record) { writer.write(kind, record); };
  while (reader.next(kind, body)) {
    switch (kind) {
      case cuda::RecordKind::module:
        copy(cuda::unpacked<cuda::ModuleRecord>(body));
        break;
      case cuda::RecordKind::function:
        copy(cuda::unpacked<cuda::FunctionRecord>(body));
        break;
      case cuda::RecordKind::allocate:
        copy(cuda::unpacked<cuda::AllocateRecord>(body));
        break;
      case cuda::RecordKind::release:
        copy(cuda::unpacked<cuda::ReleaseRecord>(body));
        break;
      case cuda::RecordKind::write:
        copy(cuda::unpacked<cuda::WriteRecord>(body));
        break;
      case cuda::RecordKind::launch:
        copy(cuda::unpacked<cuda::LaunchRecord>(body));
        break;
      case cuda::RecordKind::read: {
        auto read = cuda::unpacked<cuda::ReadRecord>(body);
        read.hash ^= 1;
        copy(read);
        break;
      }
      default:
        break;
    }
  }
  writer.write(cuda::RecordKind::end, cuda::EndRecord{});
  writer.close();
}

}  // namespace

TEST_CASE("CU-15: a recording is a stimulus, and its contents are inputs of the result") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"run", "private", "--stimulus", "cuda:" + kRecording, "--verify", "--out", "a"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const auto result = read_json(folder / "a/result.json");
  CHECK(result["inputs"]["trace_hash"].get<std::string>().size() == 16);
  REQUIRE(result["kernels"].size() == 1);
  CHECK(result["kernels"][0]["name"] == "add");
  const auto& kernel = result["cuda"]["kernels"].at(0);
  CHECK(kernel["name"] == "add");
  CHECK(kernel["grid"] == std::vector<int>{4, 1, 1});
  CHECK(kernel["block"] == std::vector<int>{256, 1, 1});
  CHECK(kernel["launches"] == 1);
  CHECK(result["cuda"]["api_calls"]["cudaMemcpy"] == 3);
  CHECK_FALSE(result["cuda"].contains("exit_code"));  // no program has run
}

TEST_CASE("CU-60: a recording gives the same result each time, with blocks in any order") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", "cuda:" + kRecording, "--out", "a", "--quiet"}).exit_code == 0);
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", "cuda:" + kRecording, "--out", "b", "--quiet", "--scramble"}).exit_code == 0);
  CHECK(comparable_result(folder / "a") == comparable_result(folder / "b"));
}

TEST_CASE("CU-15: recordings are compared like any stimulus") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"compare", "private", "ata", "--stimuli", "vectoradd@tiny,cuda:" + kRecording, "--out", "c"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("vector_addition"));
}

TEST_CASE("CU-68: the schedule is a configuration key, which runs of a recording take") {
  const TemporaryFolder folder;
  const std::string stimulus = "cuda:" + kRecording;
  const Ended ended = wharf(folder, {"run", "private", "--stimulus", stimulus, "--set", "cuda.schedule=hoisted", "--verify", "--out", "h"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  const Ended wrong = wharf(folder, {"run", "private", "--stimulus", stimulus, "--set", "cuda.schedule=best"});
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.output, Contains("cuda.schedule") && Contains("hoisted"));
}

TEST_CASE("keys of cuda that no device has are refused") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& setting) {
    const Ended ended = wharf(folder, {"run", "private", "--stimulus", "cuda:" + kRecording, "--set", setting});
    INFO(ended.output);
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  CHECK_THAT(refused("cuda.compute_capability=7.25"), Contains("compute_capability is no major and minor number; use 7.0, 7.5, 8.0"));
  CHECK_THAT(refused("cuda.memory_mib=0"), Contains("cuda.memory_mib"));
  CHECK_THAT(refused("cuda.yield_after=0"), Contains("cuda.yield_after"));
}

TEST_CASE("CU-15: a replay ends where the host reads something else, and counts it where it may") {
  const TemporaryFolder folder;
  write_other_results((folder / "other.wcr").string());
  const Ended strict = wharf(folder, {"run", "private", "--stimulus", "cuda:other.wcr"});
  CHECK(strict.exit_code == 1);
  CHECK_THAT(strict.output, Contains("the 4000 bytes at") && Contains("differ from those when the program was recorded") && Contains("`--replay loose`"));
  const Ended loose = wharf(folder, {"run", "private", "--stimulus", "cuda:other.wcr", "--replay", "loose", "--out", "l"});
  INFO(loose.output);
  CHECK(loose.exit_code == 0);
  CHECK_THAT(loose.output, Contains("the host reads something else than when the program was recorded"));
  CHECK(read_json(folder / "l/result.json")["inputs"]["replay"] == "loose");
  const Ended neither = wharf(folder, {"run", "private", "--stimulus", "cuda:other.wcr", "--replay", "lose"});
  CHECK(neither.exit_code == 2);
  CHECK_THAT(neither.output, Contains("'lose' is neither strict nor loose"));
}

TEST_CASE("CU-61: recordings that are missing, damaged, cut off or something else are refused") {
  const TemporaryFolder folder;
  std::ifstream file(kRecording, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  REQUIRE(bytes.size() > 1000);
  folder.file("cut.wcr", bytes.substr(0, bytes.size() / 2));
  std::string damaged = bytes;
  for (std::size_t i = 8; i < 48; ++i) damaged[i] = static_cast<char>(~damaged[i]);
  folder.file("damaged.wcr", damaged);
  folder.file("text.wcr", "not a recording, but text that is long enough\n");
  const auto refused = [&folder](const std::string& name) {
    const Ended ended = wharf(folder, {"run", "private", "--stimulus", "cuda:" + name});
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  CHECK_THAT(refused("none.wcr"), Contains("none.wcr"));
  CHECK_THAT(refused("cut.wcr"), Contains("cut.wcr"));
  CHECK_THAT(refused("damaged.wcr"), Contains("damaged.wcr"));
  CHECK_THAT(refused("text.wcr"), Contains("this is no recording of a CUDA program; make one with `wharf cuda --record FILE`"));
  CHECK_THAT(refused(""), Contains("'cuda:' names no file"));
}

TEST_CASE("a recording where a trace or a program is expected is named with the command for it") {
  const TemporaryFolder folder;
  const Ended trace = wharf(folder, {"run", "private", "--trace", kRecording});
  CHECK(trace.exit_code == 2);
  CHECK_THAT(trace.output, Contains("is a recorded CUDA program; `wharf run CONFIG --stimulus cuda:"));
  const Ended program = wharf(folder, {"cuda", kRecording});
  CHECK(program.exit_code == 2);
  CHECK_THAT(program.output, Contains("is a recorded CUDA program; `wharf run CONFIG --stimulus cuda:"));
  const Ended named = wharf(folder, {"run", "private", "--stimulus", "program:app 4096"});
  CHECK(named.exit_code == 2);
  CHECK_THAT(named.output, Contains("which only `wharf cuda` runs") && Contains("--record FILE"));
}

}  // namespace wharf::cli
