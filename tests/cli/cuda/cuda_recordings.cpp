// A recorded CUDA program in every place that accepts a stimulus. None of these tests needs clang.

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "model/base/hash.h"
#include "stimuli/cuda/recording/recording_reader.h"
#include "test_paths.h"
#include "tests/support/program_under_test.h"
#include "tests/support/recorded_addition.h"

namespace wharf::cli {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using test::kRecording;

/// A copy of the recording in which the host read other results.
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

/// Kernels `add_one` and `twice` of one array of u32.
std::string two_kernels() {
  const auto kernel = [](const std::string& name, const std::string& operation) {
    return ".visible .entry " + name + "(.param .u64 x, .param .u32 n)\n{\n" +
           ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;\nld.param.u64 %rd1, [x];\nld.param.u32 %r1, [n];\n"
           "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\nmad.lo.s32 %r5, %r2, %r3, %r4;\n"
           "setp.ge.u32 %p1, %r5, %r1;\n@%p1 bra END;\nmul.wide.u32 %rd2, %r5, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
           "ld.global.u32 %r6, [%rd3];\n" +
           operation + "\nst.global.u32 [%rd3], %r7;\nEND:\nret;\n}\n";
  };
  return ".version 7.2\n.target sm_70\n.address_size 64\n" + kernel("add_one", "add.u32 %r7, %r6, 1;") +
         kernel("twice", "shl.b32 %r7, %r6, 1;");
}

constexpr std::uint32_t kElements = 1024;

/// Records a program that launches add_one, twice, add_one, twice, add_one on an array of zeros, and reads the array after the third launch
/// and the last. With `wrong`, its first launch has another grid. `size`: warp instructions of each launch on record; 0: not on record.
void write_five_launches(const std::string& path, bool wrong = false, std::uint64_t size = 0) {
  using cuda::RecordKind;
  cuda::RecordingWriter writer(path, "five launches");
  writer.write(RecordKind::module, cuda::ModuleRecord{0, "", {{"five.cu", "", two_kernels()}}});
  for (const char* name : {"add_one", "twice"}) writer.write(RecordKind::function, cuda::FunctionRecord{0, name});
  const std::uint64_t bytes = kElements * sizeof(std::uint32_t);
  writer.write(RecordKind::allocate, cuda::AllocateRecord{1, cuda::kMemoryBase, bytes, cuda::AllocationKind::device});
  writer.write(RecordKind::fill, cuda::FillRecord{cuda::kMemoryBase, bytes, 0});
  const auto launch = [&](const char* kernel, std::uint32_t ctas) {
    cuda::LaunchRecord record;
    record.kernel = kernel;
    record.grid[0] = ctas;
    record.block[0] = 256;
    record.arguments.assign(12, '\0');
    std::memcpy(record.arguments.data(), &cuda::kMemoryBase, sizeof cuda::kMemoryBase);
    std::memcpy(record.arguments.data() + 8, &kElements, sizeof kElements);
    if (size != 0) writer.write(RecordKind::launch_size, cuda::LaunchSizeRecord{size});
    writer.write(RecordKind::launch, record);
  };
  const auto read = [&](std::uint32_t value) {
    const std::vector<std::uint32_t> values(kElements, value);
    const std::uint64_t hash = hash64({reinterpret_cast<const char*>(values.data()), bytes});
    writer.write(RecordKind::read, cuda::ReadRecord{cuda::kMemoryBase, bytes, hash});
  };
  launch("add_one", wrong ? 5 : 4);
  launch("twice", 4);
  launch("add_one", 4);
  read(3);
  launch("twice", 4);
  launch("add_one", 4);
  read(7);
  writer.write(RecordKind::end, cuda::EndRecord{});
  writer.close();
}

/// Records add_one on a table of 64 lines, on ten pieces of a stream, so that few fetches are under way at once, and on the table again,
/// whose window may use `limit` bytes of L2. With `resets`, the first piece makes persisting lines normal.
void write_table_and_stream(const std::string& path, std::uint64_t limit, bool resets = false) {
  using cuda::RecordKind;
  constexpr std::uint64_t kTable = cuda::kMemoryBase, kStream = kTable + (1 << 20);
  constexpr std::uint32_t kLines = 64, kPieces = 10, kPerLine = 32;
  cuda::RecordingWriter writer(path, "table and stream");
  writer.write(RecordKind::module, cuda::ModuleRecord{0, "", {{"five.cu", "", two_kernels()}}});
  writer.write(RecordKind::function, cuda::FunctionRecord{0, "add_one"});
  writer.write(RecordKind::allocate, cuda::AllocateRecord{1, kTable, kLines * 128, cuda::AllocationKind::device});
  writer.write(RecordKind::allocate, cuda::AllocateRecord{2, kStream, kPieces * kLines * 128, cuda::AllocationKind::device});
  const auto launch = [&](const cuda::LaunchAttributesRecord& attributes, std::uint64_t address) {
    writer.write(RecordKind::launch_attributes, attributes);
    const std::uint32_t elements = kLines * kPerLine;
    cuda::LaunchRecord record;
    record.kernel = "add_one";
    record.grid[0] = elements / 256;
    record.block[0] = 256;
    record.arguments.assign(12, '\0');
    std::memcpy(record.arguments.data(), &address, sizeof address);
    std::memcpy(record.arguments.data() + 8, &elements, sizeof elements);
    writer.write(RecordKind::launch, record);
  };
  cuda::LaunchAttributesRecord window;
  window.window_base = kTable;
  window.window_bytes = kLines * 128;
  window.hit_ratio = 1;
  window.on_hit = cuda::AccessProperty::persisting;
  window.persisting_limit = limit;
  launch(window, kTable);
  cuda::LaunchAttributesRecord of_stream;
  of_stream.persisting_limit = limit;
  for (std::uint32_t piece = 0; piece < kPieces; ++piece) {
    of_stream.resets_persisting = resets && piece == 0;
    launch(of_stream, kStream + piece * kLines * 128);
  }
  launch(window, kTable);
  writer.write(RecordKind::end, cuda::EndRecord{});
  writer.close();
}

struct FiveLaunches : TemporaryFolder {
  FiveLaunches() { write_five_launches((*this / "five.wcr").string()); }
};

}  // namespace

TEST_CASE("CU-57: selected kernels are timed, the others executed without time, and the host reads the right results") {
  const FiveLaunches folder;
  const auto timed = [&](const std::string& kernels) {
    const Ended ended = wharf(folder, {"run", "private", "--stimulus", "cuda:five.wcr" + kernels, "--verify", "--out", "o"});
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    const auto result = read_json(folder / "o/result.json");
    std::string names;
    for (const auto& kernel : result["kernels"]) names += kernel["name"].get<std::string>() + ' ';
    const std::size_t untimed = result["cuda"]["untimed_launches"].get<std::size_t>();
    const std::size_t warm = result.value("warm_up", nlohmann::ordered_json::object()).value("kernels", 0);
    CHECK(result["kernels"].size() + untimed + warm == 5);
    CHECK((ended.output.find("a kernel that is not selected was executed without timing") != std::string::npos) == (untimed != 0));
    return names;
  };
  CHECK(timed("") == "add_one twice add_one twice add_one ");
  CHECK(timed(":2") == "twice ");
  CHECK(timed(":1,4-") == "add_one twice add_one ");
  CHECK(timed(":twice") == "twice twice ");
  CHECK(timed(":add_one:2-") == "add_one add_one ");
  CHECK(timed(":/add/:3") == "add_one ");
  CHECK(timed(":1/2") == "add_one add_one add_one ");
  CHECK(timed(":3-4:warm") == "add_one twice ");
}

TEST_CASE("CU-57: kernels that a recording does not have are refused before it runs") {
  const FiveLaunches folder;
  const auto refused = [&](const std::string& kernels) {
    const Ended ended = wharf(folder, {"run", "private", "--stimulus", "cuda:five.wcr" + kernels});
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  CHECK_THAT(refused(":6"), Contains("there is no kernel 6; the list has the kernels 1 to 5"));
  CHECK_THAT(refused(":twise"), Contains("none of the 5 kernels has a name like 'twise'; did you mean 'twice'?"));
  CHECK_THAT(refused(":twice:3"), Contains("there is no kernel 3; the list has the kernels 1 to 2"));
  CHECK_THAT(refused(":3/2"), Contains("'3/2' is no sample"));
  CHECK_THAT(refused(":limit_warp_instructions=many"), Contains("limit_warp_instructions is 'many'"));
}

TEST_CASE("CU-57: a recording is saved at a kernel boundary and loaded, and the rest is the same byte for byte") {
  const FiveLaunches folder;
  for (const std::string kernels : {"", ":2-4"}) {
    const std::string stimulus = "cuda:five.wcr" + kernels;
    REQUIRE(wharf(folder, {"run", "private", "--stimulus", stimulus, "--verify", "--save-at", "2", "c", "--out", "whole", "--quiet"})
                .exit_code == 0);
    const Ended rest = wharf(folder, {"run", "private", "--stimulus", stimulus, "--verify", "--load", "c", "--out", "rest", "--quiet"});
    INFO(rest.output);
    REQUIRE(rest.exit_code == 0);
    CHECK(comparable_result(folder / "whole") == comparable_result(folder / "rest"));
  }
}

TEST_CASE("LR-5: recorded windows, limits and resets decide what L2 keeps, also behind a checkpoint, and without hints nothing") {
  const TemporaryFolder folder;
  const auto misses_of_last = [&](std::uint64_t limit, bool resets, const std::string& hints, const std::string& kernels = "") {
    write_table_and_stream((folder / "t.wcr").string(), limit, resets);
    std::vector<std::string> words = {"run",   "private",        "--stimulus", "cuda:t.wcr" + kernels,
                                      "--set", "l2.slice_kib=2", "--verify",   "--quiet"};
    if (!hints.empty()) words.insert(words.end(), {"--set", "l2.hints=true", "--set", "l2.persisting_fraction=" + hints});
    std::vector<std::string> save = words, load = words;
    save.insert(save.end(), {"--save-at", "2", "c", "--out", "whole"});
    load.insert(load.end(), {"--load", "c", "--out", "rest"});
    for (const auto& command : {save, load}) {
      const Ended ended = wharf(folder, command);
      INFO(ended.output);
      REQUIRE(ended.exit_code == 0);
    }
    CHECK(comparable_result(folder / "whole") == comparable_result(folder / "rest"));
    return read_json(folder / "whole/result.json")["kernels"].back()["dram.reads"].get<std::uint64_t>();
  };
  constexpr std::uint64_t kUnlimited = 1 << 20;
  const std::uint64_t all = misses_of_last(kUnlimited, false, "");
  CHECK(all > 0);
  CHECK(misses_of_last(kUnlimited, false, "0.5") == 0);
  CHECK(misses_of_last(0, false, "0.5") == all);
  CHECK(misses_of_last(kUnlimited, true, "0.5") == all);
  CHECK(misses_of_last(kUnlimited, true, "0.5", ":1,3-") == all);  // the launch with the reset is not timed
}

TEST_CASE("a sampled recording takes sizes on record as they are, and executes launches first only where they are not") {
  const FiveLaunches folder;
  const auto sampled = [&](const std::string& recording) {
    const Ended ended = wharf(folder, {"run", "private", "--stimulus", "cuda:" + recording, "--sample", "2", "--out", "o", "--quiet"});
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return read_json(folder / "o/result.json")["sampled"];
  };
  const auto executed = sampled("five.wcr");
  const auto size = executed["size"].get<std::uint64_t>() / 5;
  CHECK(size == executed["metrics"]["sm.warp_instructions"]["estimate"].get<std::uint64_t>() / 5);
  write_five_launches((folder / "sized.wcr").string(), false, size);
  CHECK(sampled("sized.wcr") == executed);
  write_five_launches((folder / "wrong.wcr").string(), false, 7);
  CHECK(sampled("wrong.wcr")["size"] == 5 * 7);
}

TEST_CASE("a size that no launch can have is damage") {
  const FiveLaunches folder;
  write_five_launches((folder / "damaged.wcr").string(), false, (std::uint64_t{1} << 48) + 1);
  const Ended ended = wharf(folder, {"run", "private", "--stimulus", "cuda:damaged.wcr"});
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output,
             Contains("record 6 is damaged: a launch has 281474976710657 warp instructions; copy the file or record the program"));
}

TEST_CASE("CU-57: a checkpoint of another recording is refused") {
  const FiveLaunches folder;
  write_five_launches((folder / "other.wcr").string(), true);
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", "cuda:five.wcr", "--save-at", "3", "c", "--quiet"}).exit_code == 0);
  const Ended other = wharf(folder, {"run", "private", "--stimulus", "cuda:other.wcr", "--load", "c"});
  CHECK(other.exit_code == 2);
  CHECK_THAT(other.output, Contains("trace_hash was"));
}

TEST_CASE("recordings have limits, short names in tables, and commas in their paths") {
  const FiveLaunches folder;
  write_five_launches((folder / "a,b.wcr").string());
  const Ended limited = wharf(folder, {"compare", "private", "ata", "--stimuli", "cuda:a,b.wcr,cuda:five.wcr:2,4",
                                       "--limit-warp-instructions", "200", "--out", "c"});
  INFO(limited.output);
  CHECK(limited.exit_code == 0);
  CHECK_THAT(limited.output, Contains("\na,b.wcr:limit_warp_instructions=200") && Contains("\nfive.wcr:2,4:limit_warp_instructions=200"));
}

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
  CHECK_THAT(refused("cuda.compute_capability=7.25"), Contains("compute_capability is not a major and minor number; use 7.0, 7.5, 8.0"));
  CHECK_THAT(refused("cuda.memory_mib=0"), Contains("cuda.memory_mib"));
  CHECK_THAT(refused("cuda.yield_after=0"), Contains("cuda.yield_after"));
}

TEST_CASE("CU-15: a replay ends where the host reads something else, and counts it where it may") {
  const TemporaryFolder folder;
  write_other_results((folder / "other.wcr").string());
  const Ended strict = wharf(folder, {"run", "private", "--stimulus", "cuda:other.wcr"});
  CHECK(strict.exit_code == 1);
  CHECK_THAT(strict.output,
             Contains("the 4000 bytes at") && Contains("differ from those when the program was recorded") && Contains("`--replay loose`"));
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
  CHECK_THAT(refused("text.wcr"), Contains("this is not a recording of a CUDA program; make one with `wharf cuda --record FILE`"));
  CHECK_THAT(refused(""), Contains("'cuda:' does not name a file"));
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

TEST_CASE("an exported trace has the order of instructions that the configuration asks for, and its cycles") {
  const TemporaryFolder folder;
  for (const std::string order : {"program", "hoisted"}) {
    const std::string setting = "cuda.schedule=" + order;
    REQUIRE(wharf(folder, {"run", "private", "--stimulus", "cuda:" + kRecording, "--set", setting, "--out", order}).exit_code == 0);
    REQUIRE(wharf(folder, {"trace", "export", "--stimulus", "cuda:" + kRecording, "--set", setting, "--out", "t_" + order}).exit_code == 0);
    REQUIRE(wharf(folder, {"run", "private", "--stimulus", "trace:t_" + order, "--out", "of_trace_" + order}).exit_code == 0);
    CHECK(read_json(folder / (order + "/result.json"))["run"]["cycles"] ==
          read_json(folder / ("of_trace_" + order + "/result.json"))["run"]["cycles"]);
  }
  CHECK(read_json(folder / "of_trace_program/result.json")["run"]["cycles"] !=
        read_json(folder / "of_trace_hoisted/result.json")["run"]["cycles"]);
}

}  // namespace wharf::cli
