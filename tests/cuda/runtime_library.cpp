// The results of the runtime library and the commands that it sends, program by program.

#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "model/base/error.h"
#include "stimuli/cuda/process/cuda_program.h"
#include "tests/cuda/build_program.h"
#include "tests/cuda/stub_device.h"

using namespace wharf::cuda;
using namespace wharf::cuda::test;

namespace {

LaunchResult nothing(const LaunchRecord&) { return {}; }

struct Ran {
  int exit_code;
  std::string errors;  // standard error
};

/// Runs a program to its end with standard error in a file.
Ran run(const std::string& name, StubDevice& device, const std::function<LaunchResult(const LaunchRecord&)>& execute = nothing,
        const DeviceDescription& description = {}) {
  const std::string program = build_program(name), log = build_folder() + "/" + name + ".log";
  DeviceMemory memory(DeviceMemory::create_shared());
  CudaProgram child({{"/bin/sh", "-c", "exec " + program + " 2>" + log}, runtime_folder(), ""}, description, memory, device, nullptr);
  serve(child, execute);
  const int exit_code = child.wait();
  std::ostringstream errors;
  errors << std::ifstream(log).rdbuf();
  return {exit_code, errors.str()};
}

}  // namespace

TEST_CASE("Every function of tier 1 returns what CUDA returns") {
  StubDevice device;
  DeviceDescription description;
  description.name = "Wharf test";
  description.sms = 12;
  std::vector<LaunchRecord> launches;
  const Ran ran = run(
      "api_calls", device,
      [&](const LaunchRecord& launch) {
        launches.push_back(launch);
        device.seconds += 0.25;
        return LaunchResult{};
      },
      description);
  CHECK(ran.exit_code == 0);
  CHECK(ran.errors ==
        fmt::format("wharf: warning: an allocation of {0} bytes returns cudaErrorMemoryAllocation: the device has {1} MiB, of which "
                    "{2} bytes are used; give it more with `--set cuda.memory_mib=N`\n",
                    description.memory_bytes, description.memory_bytes >> 20, 1 << 20));
  CHECK(device.regions == std::vector<bool>{true, false});
  REQUIRE(device.limits.size() == 2);  // the third is refused
  CHECK(device.limits[0].value == 4096);
  CHECK(device.limits[1].value == 512 << 10);

  REQUIRE(launches.size() == 3);
  const LaunchRecord& last = launches[2];
  CHECK(last.grid[0] == 3);
  CHECK(last.grid[1] == 2);
  CHECK(last.block[2] == 2);
  CHECK(last.shared_bytes == 64);
  CHECK(launches[0].stream == 1);
  CHECK(last.stream == 0);
  REQUIRE(last.arguments.size() == 32);
  CHECK(argument<std::uint64_t>(last, 8) == argument<std::uint64_t>(last, 0) + 4);
  CHECK(argument<int>(last, 16) == 0x11223344);
  CHECK(argument<char>(last, 20) == 'x');
  CHECK(argument<double>(last, 24) == 2.5);

  REQUIRE(device.textures.size() == 4);
  CHECK(device.textures[0].name == "linear_texture");
  CHECK(device.textures[0].view.shape == TextureShape::linear);
  CHECK(device.textures[0].view.width == 24);  // 64 bytes, and the 32 bytes by which the base is aligned down
  CHECK(device.textures[1].name == "image_texture");
  CHECK(device.textures[1].view.pitch == 32);
  CHECK(device.textures[1].view.filter == 1);
  CHECK(device.textures[1].view.normalised_read == 1);
  CHECK(device.textures[2].object == 1);
  CHECK(device.textures[3].view.width == 1000);  // the size of the allocation, although the program gives 2000
}

TEST_CASE(
    "Attributes of streams, launches and kernels return what CUDA returns, and windows, clusters, resets and cooperation reach the device") {
  StubDevice device;
  DeviceDescription description;
  description.persisting_l2_bytes = 1 << 20;
  description.largest_window_bytes = 8 << 20;
  description.gpc_sms = {4, 16};
  description.largest_cluster = 16;
  std::vector<LaunchRecord> launches;
  const auto keep = [&](const LaunchRecord& launch) {
    launches.push_back(launch);
    return LaunchResult{};
  };
  CHECK(run("launch_attributes", device, keep, description).exit_code == 0);
  REQUIRE(launches.size() == 7);
  const LaunchAttributesRecord &of_stream = launches[0].attributes, &own = launches[1].attributes;
  CHECK(of_stream.window_base == device.allocations.at(0).address);
  CHECK(of_stream.window_bytes == 4096);
  CHECK(of_stream.hit_ratio == 0.5f);
  CHECK(of_stream.on_hit == AccessProperty::persisting);
  CHECK(of_stream.on_miss == AccessProperty::streaming);
  CHECK(of_stream.persisting_limit == 4096);
  CHECK_FALSE(of_stream.resets_persisting);
  CHECK(own.window_base == of_stream.window_base + 128);
  CHECK(own.on_hit == AccessProperty::streaming);
  CHECK(own.resets_persisting);
  CHECK_FALSE(launches[2].attributes.acts());
  const auto cluster_of = [&](int launch) {
    const auto& [x, y, z] = launches[static_cast<std::size_t>(launch)].attributes.cluster;
    return std::vector<std::uint32_t>{x, y, z};
  };
  CHECK(cluster_of(3) == std::vector<std::uint32_t>{2, 1, 2});
  CHECK(cluster_of(4) == std::vector<std::uint32_t>{16, 1, 1});
  CHECK(cluster_of(5) == std::vector<std::uint32_t>{2, 1, 1});
  for (std::size_t i = 0; i < launches.size(); ++i) CHECK(launches[i].cooperative == (i == 6));
  REQUIRE(argument<double>(launches[0], 0) == 1);  // converted from int
  CHECK(argument<char>(launches[0], 16) == 'x');
}

TEST_CASE("A device without persisting lines and clusters refuses them with CUDA's errors") {
  StubDevice device;
  std::vector<LaunchRecord> launches;
  const auto keep = [&](const LaunchRecord& launch) {
    launches.push_back(launch);
    return LaunchResult{};
  };
  CHECK(run("launch_attributes", device, keep).exit_code == 0);
  REQUIRE(launches.size() == 1);
  CHECK_FALSE(launches[0].attributes.acts());
}

TEST_CASE("A refused launch names the value that it asks for, the limit, and the remedy") {
  StubDevice device;
  device.described.registers = 80;
  device.described.static_shared_bytes = 4 << 10;
  DeviceDescription description;
  description.registers_per_sm = 32768;
  CHECK(run("refused_launches", device, nothing, description).exit_code == 0);
  std::vector<std::string> reasons;
  for (const RefusedLaunchRecord& launch : device.refused) reasons.push_back(launch.reason);
  const std::string invalid = "invalid configuration argument: ", argument = "invalid argument: ",
                    raise = " with cudaFuncAttributeMaxDynamicSharedMemorySize";
  const std::vector<std::string> expected = {
      invalid + "grid.y is 70000; use 1 to 65535",
      invalid + "grid.x is 0; use 1 to 2147483647, and call kernels with <<<>>>",
      invalid + "block.z is 65; use 1 to 64",
      invalid + "2048 threads per block; use at most 1024",
      argument + "64 KiB of dynamic shared memory beside 4 KiB of static; use at most 44 KiB, or 92 KiB" + raise,
      argument + "65537 B of dynamic shared memory beside 4 KiB of static; use at most 64 KiB, or 92 KiB" + raise,
      "too many resources requested for launch: 1024 threads take 65536 registers; an SM has 32768; use smaller blocks, or "
      "fewer registers by __launch_bounds__ or -maxrregcount",
      "too many blocks in cooperative launch: a cooperative grid of 81 CTAs; the GPU holds 80 at a time, 1 per SM; launch fewer",
      "invalid resource handle: its stream does not exist, or is destroyed",
      "invalid device function: no kernel is registered at the function's address; name a __global__ function",
      argument + "attribute 99 is not one of a launch; leave it out",
      "operation not supported: clusters of 2 x 1 x 1 CTAs need compute capability 9.0 and SMs that share their memory; choose such a "
      "machine, as cluster/h100 is",
      invalid + "grid.x is 0; use 1 to 2147483647, and call kernels with <<<>>>"};
  CHECK(reasons == expected);
}

TEST_CASE("A function without an implementation ends the program with its name and exit code 2") {
  StubDevice device;
  const Ran ran = run("unsupported", device);
  CHECK(ran.exit_code == 2);
  CHECK(
      ran.errors ==
      "wharf: cudaGraphConditionalHandleCreate is not supported; graphs have nodes for kernels, copies, fills, host functions, events and child graphs, each with its cudaGraphAdd function\n");
}

TEST_CASE("The listener hears of the host's stores to managed memory before the next launch") {
  StubDevice device;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> before_launch;
  const Ran ran = run("managed", device, [&](const LaunchRecord& launch) {
    before_launch = device.writes;
    device.writes.clear();
    for (int i = 0; i < argument<int>(launch, 8); ++i) ++argument<int*>(launch, 0)[i];
    return LaunchResult{};
  });
  CHECK(ran.exit_code == 0);
  // The only store before the second launch, in blocks of 256 bytes. The kernel's own writes do not count as the host's.
  REQUIRE(before_launch.size() == 1);
  CHECK(before_launch[0] == std::make_pair(kMemoryBase + (2 << 20) + 3840, std::uint64_t{160}));
}

TEST_CASE("A host that dereferences device memory faults, and reads which allocation it was") {
  StubDevice device;
  const Ran ran = run("host_access", device);
  CHECK(ran.exit_code == 128 + 11);
  CHECK(ran.errors.find("wharf: host code accesses device memory at 0x200000200028, byte 40 of allocation 1 (cudaMalloc of 4000 bytes)") ==
        0);
}

TEST_CASE("A program that crashes ends its stream without an end record") {
  const std::string program = build_program("crash");
  DeviceMemory memory(DeviceMemory::create_shared());
  StubDevice device;
  CudaProgram child({{program}, runtime_folder(), ""}, {}, memory, device, nullptr);
  serve(child, nothing);
  CHECK_FALSE(child.ended());
  CHECK(child.wait() == 128 + 6);
}

TEST_CASE("A faulting kernel's error is sticky") {
  StubDevice device;
  CHECK(run("fault", device, [](const LaunchRecord&) { return LaunchResult{700, ""}; }).exit_code == 0);
}

TEST_CASE("Threads of the host take turns, and a warning says that their order is not reproducible") {
  StubDevice device;
  int launches = 0;
  const Ran ran = run("threads", device, [&](const LaunchRecord&) {
    ++launches;
    return LaunchResult{};
  });
  CHECK(ran.exit_code == 0);
  CHECK(launches == 100);
  CHECK(device.allocations.size() == 100);
  CHECK(ran.errors ==
        "wharf: warning: two host threads use CUDA; the order of their calls is not reproducible; record the program and replay it\n");
}

TEST_CASE("What a kernel prints appears on the program's standard output, in order with the host's") {
  const std::string program = build_program("vector_addition"), out = build_folder() + "/printed";
  DeviceMemory memory(DeviceMemory::create_shared());
  StubDevice device;
  CudaProgram child({{"/bin/sh", "-c", "exec " + program + " 10 >" + out}, runtime_folder(), ""}, {}, memory, device, nullptr);
  serve(child, [](const LaunchRecord&) { return LaunchResult{0, "from the kernel\n"}; });
  CHECK(child.wait() == 1);
  std::ostringstream text;
  text << std::ifstream(out).rdbuf();
  CHECK(text.str() == "from the kernel\nvector addition: FAIL, 9 values are wrong\n");
}

TEST_CASE("A program without Wharf says how to run it") {
  const std::string program = build_program("vector_addition"), log = build_folder() + "/alone.log";
  const int status = std::system(("LD_LIBRARY_PATH=" + runtime_folder() + " " + program + " 2>" + log).c_str());
  CHECK(WEXITSTATUS(status) == 2);
  std::ostringstream text;
  text << std::ifstream(log).rdbuf();
  CHECK(text.str().find("run it with `wharf cuda`") != std::string::npos);
}

TEST_CASE("A program that is started by hand says which Wharf it could not start") {
  const std::string program = build_program("vector_addition"), log = build_folder() + "/alone.log";
  const std::string environment =
      "LD_LIBRARY_PATH=" + runtime_folder() + " WHARF_CUDA='--config private' WHARF_PROGRAM=/nonexistent/wharf ";
  const int status = std::system((environment + program + " 2>" + log).c_str());
  CHECK(WEXITSTATUS(status) == 2);
  std::ostringstream text;
  text << std::ifstream(log).rdbuf();
  CHECK(text.str() == "wharf: cannot start /nonexistent/wharf: No such file or directory; name the program in WHARF_PROGRAM\n");
}

TEST_CASE("A program that cannot be started is an error with its path") {
  DeviceMemory memory(DeviceMemory::create_shared());
  StubDevice device;
  CHECK_THROWS_WITH(CudaProgram({{"/nonexistent/app"}, "", ""}, {}, memory, device, nullptr),
                    "/nonexistent/app: cannot be started: No such file or directory; check the path and its permissions");
}
