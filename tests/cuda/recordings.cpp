// Recordings: written by a running program, replayed without it, and protected against damage.

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "model/base/error.h"
#include "stimuli/cuda/process/cuda_program.h"
#include "stimuli/cuda/recording/recorded_program.h"
#include "tests/cuda/build_program.h"
#include "tests/cuda/stub_device.h"

using namespace wharf;
using namespace wharf::cuda;
using namespace wharf::cuda::test;
using Catch::Matchers::Contains;

namespace {

LaunchResult increment(const LaunchRecord& launch) {
  for (int i = 0; i < argument<int>(launch, 8); ++i) ++argument<int*>(launch, 0)[i];
  return {};
}

using Execute = LaunchResult (*)(const LaunchRecord&);

/// Records a program and returns the recording's path and the launches.
std::string record(const std::string& name, const std::vector<std::string>& arguments, Execute execute, StubDevice& device,
                   std::vector<LaunchRecord>& launches) {
  std::vector<std::string> command = {build_program(name)};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::string path = build_folder() + "/" + name + ".wcr";
  DeviceMemory memory(DeviceMemory::create_shared());
  CudaProgram child({command, runtime_folder(), ""}, {}, memory, device, std::make_unique<RecordingWriter>(path, name));
  launches = serve(child, execute);
  REQUIRE(child.wait() == 0);
  return path;
}

std::string recorded_addition() {
  StubDevice device;
  std::vector<LaunchRecord> launches;
  return record("vector_addition", {"1000"}, add, device, launches);
}

/// Replays, ignoring results. Returns the message of the error, or "".
std::string replay_error(const std::string& path) {
  try {
    DeviceMemory memory;
    StubDevice device;
    RecordedProgram program(path, memory, device, RecordedProgram::Mismatch::count);
    serve(program, [](const LaunchRecord&) { return LaunchResult{}; });
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string decompressed(const std::string& path) {
  const auto bytes = traces::open_bytes(path);
  std::string all;
  char piece[65536];
  while (const std::size_t got = bytes->read(piece, sizeof piece)) all.append(piece, got);
  return all;
}

/// Writes a recording without compression, which readers accept too.
std::string file_of(const std::string& bytes) {
  const std::string path = build_folder() + "/damaged.wcr";
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

}  // namespace

TEST_CASE("A recording replays the same launches on the same memory without the program") {
  const auto name = GENERATE(as<std::string>{}, "vector_addition", "managed");
  const Execute execute = name == "managed" ? increment : add;
  StubDevice live;
  std::vector<LaunchRecord> launched;
  const std::string path = record(name, {}, execute, live, launched);

  DeviceMemory memory;
  StubDevice device;
  RecordedProgram program(path, memory, device, RecordedProgram::Mismatch::stop);
  CHECK(program.file().header().command == name);
  CHECK(program.file().header().note.find("data of the program") != std::string::npos);
  const auto launches = serve(program, execute);
  REQUIRE(launches.size() == launched.size());
  for (std::size_t i = 0; i < launches.size(); ++i) {
    CHECK(launches[i].kernel == launched[i].kernel);
    CHECK(launches[i].arguments == launched[i].arguments);
  }
  CHECK(device.modules[0].ptx[0].text == live.modules[0].ptx[0].text);
  CHECK(device.writes == live.writes);
  CHECK(device.reads == live.reads);
  CHECK(device.calls == live.calls);
  CHECK(program.mismatches() == 0);
}

TEST_CASE("A recording has the warp instructions of each launch") {
  StubDevice live;
  std::vector<LaunchRecord> launched;
  const auto sized = [](const LaunchRecord& launch) {
    LaunchResult result = add(launch);
    result.warp_instructions = 1234;
    return result;
  };
  const std::string path = record("vector_addition", {"1000"}, sized, live, launched);
  DeviceMemory memory;
  StubDevice device;
  RecordedProgram program(path, memory, device, RecordedProgram::Mismatch::stop);
  REQUIRE(program.next_launch() != nullptr);
  CHECK(program.launch_size() == 1234);
}

TEST_CASE("A replay stops where the host would read something else, or counts it") {
  const std::string path = recorded_addition();
  const auto nothing = [](const LaunchRecord&) { return LaunchResult{}; };
  {
    DeviceMemory memory;
    StubDevice device;
    RecordedProgram program(path, memory, device, RecordedProgram::Mismatch::stop);
    CHECK_THROWS_WITH(serve(program, nothing), Contains("after launch 1: the 4000 bytes at 0x200000204000 that the host reads differ"));
  }
  DeviceMemory memory;
  StubDevice device;
  RecordedProgram program(path, memory, device, RecordedProgram::Mismatch::count);
  serve(program, nothing);
  CHECK(program.mismatches() == 1);
}

TEST_CASE("A launch that ends otherwise than on record ends the replay") {
  const auto fails = [](const LaunchRecord&) { return LaunchResult{700, ""}; };
  const auto replay = [](const std::string& path, Execute execute) {
    DeviceMemory memory;
    StubDevice device;
    RecordedProgram program(path, memory, device, RecordedProgram::Mismatch::stop);
    return serve(program, execute);
  };
  CHECK_THROWS_WITH(replay(recorded_addition(), fails),
                    Contains("failed with CUDA error 700 here, but succeeded when the program was recorded"));
  StubDevice live;
  std::vector<LaunchRecord> launched;
  const std::string path = record("fault", {}, fails, live, launched);
  const auto launches = replay(path, fails);
  REQUIRE(launches.size() == 1);
  CHECK(launches[0].error == 700);
  CHECK_THROWS_WITH(replay(path, [](const LaunchRecord&) { return LaunchResult{}; }),
                    Contains("succeeded here, but failed with CUDA error 700 when the program was recorded; run the program itself"));
}

TEST_CASE("A file that is no recording, or a truncated one, is refused with a remedy") {
  CHECK_THAT(replay_error("/nonexistent.wcr"), Contains("/nonexistent.wcr"));
  CHECK_THAT(replay_error(file_of("WHARFREX and more bytes")),
             Contains("this is not a recording of a CUDA program; make one with `wharf cuda --record"));
  CHECK_THAT(replay_error(file_of("WHARF")), Contains("the recording ends before the program did"));
  const std::string whole = decompressed(recorded_addition());
  CHECK(replay_error(file_of(whole)).empty());
  for (const std::size_t size : {std::size_t{8}, std::size_t{12}, std::size_t{100}, whole.size() / 2, whole.size() - 1})
    CHECK_THAT(replay_error(file_of(whole.substr(0, size))), Contains("the recording ends before the program did"));
}

TEST_CASE("Bytes that are missing at the end of a recording, or follow it, are noticed before a record is used") {
  const std::string path = recorded_addition(), whole = decompressed(path);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  CHECK_THAT(replay_error(file_of(bytes.substr(0, bytes.size() - 1))),
             Contains("damaged.wcr: the zstd stream is truncated; copy or record"));
  CHECK_THAT(replay_error(file_of(bytes + "x")), Contains("the zstd stream is corrupt"));
  CHECK_THAT(replay_error(file_of(bytes + bytes)), Contains("bytes or more follow the end of the recording"));
  CHECK_THAT(replay_error(file_of(whole + "xyz")), Contains("3 bytes or more follow the end of the recording; copy it or record"));
  CHECK_THAT(replay_error(file_of(whole + whole)), Contains("follow the end of the recording"));
}

TEST_CASE("A recording that is not finished leaves the file of its name as it was") {
  const std::string path = build_folder() + "/kept.wcr";
  std::ofstream(path) << "kept";
  {
    RecordingWriter unfinished(path, "k");
    unfinished.write(RecordKind::region, RegionRecord{});
    CHECK(std::filesystem::exists(path + ".part"));
  }
  CHECK_FALSE(std::filesystem::exists(path + ".part"));
  CHECK(std::filesystem::file_size(path) == 4);
  RecordingWriter(path, "k").close();
  CHECK(std::filesystem::file_size(path) > 16);
}

TEST_CASE("A recording of another version is refused") {
  std::string bytes = decompressed(recorded_addition());
  bytes[16] = 9;
  CHECK_THAT(replay_error(file_of(bytes)), Contains("this recording has version 9, and this Wharf reads 1; record the program again"));
}

TEST_CASE("A length beyond the limits is refused before memory is used for it") {
  std::string bytes = decompressed(recorded_addition());
  std::uint64_t header = 0;
  std::memcpy(&header, bytes.data() + 8, sizeof header);
  bytes[16 + header + 15] = '\x7f';  // the highest byte of the first record's length
  CHECK_THAT(replay_error(file_of(bytes)), Contains("record 1 is damaged: its header is impossible"));
}

TEST_CASE("A recording with a flipped bit is refused, or reads as before, because the file has a checksum") {
  const std::string path = recorded_addition(), whole = decompressed(path);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  REQUIRE(replay_error(file_of(bytes)).empty());
  std::mt19937 random(1);
  unsigned refused = 0;
  for (unsigned i = 0; i < 200; ++i) {
    std::string damaged = bytes;
    const std::size_t at = 16 + random() % (bytes.size() - 16);
    damaged[at] = static_cast<char>(damaged[at] ^ 1 << random() % 8);
    INFO("byte " << at);
    const std::string changed = file_of(damaged);
    const std::string error = replay_error(changed);
    if (error.empty())
      REQUIRE(decompressed(changed) == whole);  // a bit that fills up a byte
    else
      ++refused;
    INFO(error);
    REQUIRE((error.empty() || error.find(": the zstd stream is ") != std::string::npos));  // not what the bit has made of a record
  }
  CHECK(refused > 190);
}

TEST_CASE("Any damaged byte of a recording gives an error or another replay, never a crash") {
  const std::string whole = decompressed(recorded_addition());
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    std::string bytes = whole;
    // Most changes damage the structure, because the data of host writes are the bulk of the file and may have any value.
    const std::size_t at = i % 3 == 0 ? random() % bytes.size() : random() % 4000;
    bytes[at % bytes.size()] = static_cast<char>(random());
    replay_error(file_of(bytes));
  }
}

TEST_CASE("Released memory reads 0 again, shared with a program or not") {
  DeviceMemory memory(GENERATE(as<bool>{}, false, true) ? DeviceMemory::create_shared() : DeviceMemory::kUnshared);
  std::byte* const bytes = DeviceMemory::at(kMemoryBase);
  memory.allocate({1, kMemoryBase, 10'000, AllocationKind::device});
  bytes[0] = bytes[9'999] = std::byte{7};
  memory.release(kMemoryBase);
  CHECK(bytes[0] == std::byte{0});
  CHECK(bytes[9'999] == std::byte{0});
}

TEST_CASE("Commands that no program can send are refused") {
  DeviceMemory memory;
  StubDevice device;
  CommandInterpreter interpreter(memory, device);
  interpreter.apply(ModuleRecord{0, "", {{"a.cu", "", ".version 7.0\n.visible .entry k(.param .u32 n) { ret; }"}}});
  CHECK_THROWS_WITH(interpreter.apply(ModuleRecord{2, "", {}}), "module 2 follows module 1");
  CHECK_THROWS_WITH(interpreter.apply(FunctionRecord{7, "k"}), "module 7 is used, but 1 are registered");
  const std::uint64_t base = kMemoryBase;
  interpreter.apply(AllocateRecord{1, base, 1000, AllocationKind::device});
  CHECK_THROWS_WITH(interpreter.apply(AllocateRecord{2, base + 768, 10, AllocationKind::device}), Contains("overlaps another one"));
  CHECK_THROWS_WITH(interpreter.apply(AllocateRecord{2, 4096, 10, AllocationKind::device}), Contains("outside the device memory"));
  CHECK_THROWS_WITH(interpreter.apply(AllocateRecord{2, base + 8192, ~std::uint64_t{0}, AllocationKind::device}),
                    Contains("outside the device memory"));
  CHECK_THROWS_WITH(
      interpreter.apply(AllocateRecord{2, base + 8192, std::uint64_t{4} << 30, AllocationKind::device}),
      "allocation 2 of 4294967296 bytes exceeds the device memory of 4096 MiB, of which 1000 bytes are used; give more with `--set cuda.memory_mib=N`");
  CHECK_THROWS_WITH(interpreter.apply(WriteRecord{base, 1025, {}}),
                    "the program writes 1025 bytes at 0x200000000000, outside every allocation");
  CHECK_NOTHROW(interpreter.apply(WriteRecord{base, 1024, {}}));  // up to a multiple of 256 bytes
  CHECK_THROWS_WITH(interpreter.apply(ReleaseRecord{base + 256}), "the program frees 0x200000000100, where no allocation begins");
  CHECK_THROWS_WITH(interpreter.store(WriteRecord{base, 8, "1234"}), "a write of 8 bytes holds 4");
  LaunchRecord launch;
  launch.kernel = "k";
  CHECK_THROWS_WITH(interpreter.check(launch), "kernel k is launched with 0 bytes of arguments, but has 4");
  launch.arguments = "1234";
  CHECK_NOTHROW(interpreter.check(launch));
  launch.block[1] = 1025;
  CHECK_THROWS_WITH(interpreter.check(launch), "kernel k is launched with an impossible grid or block");
  launch.block[1] = 1;
  const auto refused = [&](auto change) {
    LaunchAttributesRecord attributes;
    attributes.hit_ratio = 1;
    change(attributes);
    try {
      interpreter.apply(attributes);
      interpreter.check(launch);
    } catch (const DamagedRecord& damage) {
      return std::string(damage.what());
    }
    return std::string();
  };
  CHECK(refused([](LaunchAttributesRecord&) {}).empty());
  CHECK(refused([](auto& a) { a.cluster[0] = 0; }) == "a launch has clusters of 0 x 1 x 1 CTAs");
  CHECK(refused([](auto& a) { a.cluster[0] = a.cluster[1] = 1u << 31; }) == "a launch has clusters of 2147483648 x 2147483648 x 1 CTAs");
  CHECK(refused([](auto& a) { a.cluster[1] = a.cluster[2] = 5; }) == "a launch has clusters of 1 x 5 x 5 CTAs");
  CHECK(refused([](auto& a) { a.cluster[1] = 2; }) == "kernel k is launched with clusters that do not divide its grid");
  CHECK(refused([](auto& a) { a.window_base = ~a.window_bytes, a.window_bytes = 2; }) ==
        "an access-policy window exceeds the address space");
  for (const float ratio : {-0.5f, 1.5f, std::nanf("")})
    CHECK(refused([&](auto& a) { a.hit_ratio = ratio; }) == "an access-policy window has a hit ratio outside of 0 to 1");
  CHECK(refused([](auto& a) { a.on_hit = AccessProperty{3}; }) == "an access-policy window has an unknown property");
  CHECK(refused([](auto& a) { a.on_miss = AccessProperty::persisting; }) == "an access-policy window has an unknown property");
  launch.kernel = "other";
  CHECK_THROWS_WITH(interpreter.check(launch), "the program launches a kernel that module 0 does not have");
}
