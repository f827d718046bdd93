// The complete path of a program: compiled by clang, started, served, its kernel computed by the test.

#include <catch2/catch.hpp>

#include "stimuli/cuda/process/cuda_program.h"
#include "tests/cuda/build_program.h"
#include "tests/cuda/stub_device.h"

using namespace wharf::cuda;
using namespace wharf::cuda::test;

TEST_CASE("A program compiled by clang runs as a child, and its commands arrive in order") {
  const std::string program = build_program("vector_addition");
  DeviceMemory memory(DeviceMemory::create_shared());
  StubDevice device;
  CudaProgram child({{program, "1000"}, runtime_folder(), ""}, {}, memory, device, nullptr);
  const auto launches = serve(child, add);

  CHECK(child.ended());
  CHECK(child.wait() == 0);  // the program has checked the sums
  REQUIRE(device.modules.size() == 1);
  CHECK(device.modules[0].ptx.at(0).text.find(".entry _Z3addPKfS0_Pfi") != std::string::npos);
  REQUIRE(device.functions.size() == 1);
  CHECK(device.functions[0].name == "_Z3addPKfS0_Pfi");
  REQUIRE(device.allocations.size() == 3);
  CHECK(device.allocations[0].address == 0x200000200000);
  CHECK(device.allocations[1].address == 0x200000202000);  // 4,000 bytes plus 4 KiB, aligned to 256 bytes
  CHECK(device.allocations[2].number == 3);
  CHECK(device.allocations[2].bytes == 4000);
  REQUIRE(device.writes.size() == 2);
  CHECK(device.writes[1] == std::make_pair(device.allocations[1].address, std::uint64_t{4000}));
  REQUIRE(launches.size() == 1);
  CHECK(launches[0].kernel == "_Z3addPKfS0_Pfi");
  CHECK(launches[0].grid[0] == 4);
  CHECK(launches[0].block[0] == 256);
  CHECK(launches[0].arguments.size() == 28);
  CHECK(argument<std::uint64_t>(launches[0], 16) == device.allocations[2].address);
  CHECK(argument<int>(launches[0], 24) == 1000);
  REQUIRE(device.reads.size() == 1);
  CHECK(device.releases.size() == 3);
  CHECK(memory.allocations().empty());
  CHECK(device.calls.at("cudaMemcpy") == 3);
}

TEST_CASE("A program sees a kernel's wrong result, and its exit code arrives") {
  const std::string program = build_program("vector_addition");
  DeviceMemory memory(DeviceMemory::create_shared());
  StubDevice device;
  CudaProgram child({{program, "1000"}, runtime_folder(), ""}, {}, memory, device, nullptr);
  serve(child, [](const LaunchRecord&) { return LaunchResult{}; });
  CHECK(child.wait() == 1);
}
