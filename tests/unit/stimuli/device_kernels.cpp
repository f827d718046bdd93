// Kernels that a host launches by name: their accepted and refused arguments.

#include "stimuli/kernels/device_kernel.h"

#include <catch2/catch.hpp>

#include <array>
#include <set>

#include "model/base/error.h"

using namespace wharf;
using namespace wharf::spmd;

namespace {

/// Arguments that a kernel accepts: arrays of 64 elements in one buffer, and numbers at their low ends or 1.
std::vector<DeviceArgument> some_arguments(const DeviceKernel& kernel, std::byte* data) {
  std::vector<DeviceArgument> arguments;
  for (const DeviceParameter& parameter : kernel.parameters) {
    DeviceArgument argument;
    if (parameter.kind == DeviceParameter::Kind::array)
      argument = {0x1000, data, 64, 0};
    else
      argument.number = parameter.low <= 1.0 && parameter.high >= 1.0 ? 1.0 : parameter.low;
    arguments.push_back(argument);
  }
  return arguments;
}

BadArgument refusal(const DeviceKernel& kernel, std::vector<DeviceArgument> arguments) {
  try {
    kernel.make({kernel, std::move(arguments)});
  } catch (const BadArgument& bad) {
    return bad;
  }
  throw std::logic_error("not refused");
}

}  // namespace

TEST_CASE("every device kernel has a name of its own, launches with fitting arguments and says what each is") {
  std::array<std::byte, 1024> buffer{};
  std::set<std::string> names;
  for (const DeviceKernel& kernel : device_kernels()) {
    INFO(kernel.name);
    CHECK(names.insert(kernel.name).second);
    CHECK(find_device_kernel(kernel.name) == &kernel);
    CHECK(kernel.parameters.size() <= 12);  // the parameters that a command can carry
    for (const DeviceParameter& parameter : kernel.parameters) CHECK(std::string(parameter.help) != "");
    const Kernel launch = kernel.make({kernel, some_arguments(kernel, buffer.data())});
    CHECK(launch.launch.grid.count() == 1);
    CHECK(launch.program != nullptr);
  }
  CHECK(names == std::set<std::string>{"gemm", "spmv", "bfs_visit", "bfs_advance"});
  CHECK(find_device_kernel("sgemv") == nullptr);
}

TEST_CASE("gemm refuses rows that overlap and arrays that are too small") {
  std::array<std::byte, 1024> buffer{};
  const DeviceKernel& gemm = *find_device_kernel("gemm");
  auto arguments = some_arguments(gemm, buffer.data());
  arguments[3].number = 8, arguments[4].number = 8, arguments[5].number = 8, arguments[6].number = 7;  // ni, nj, nk, lda
  const BadArgument rows = refusal(gemm, arguments);
  CHECK(rows.index == 6);
  CHECK_FALSE(rows.too_small);
  CHECK(rows.why == "lda is the distance between rows of a and must be at least nk");
  arguments[6].number = 9;  // 7 * 9 + 8 elements of a
  const BadArgument a = refusal(gemm, arguments);
  CHECK(a.index == 0);
  CHECK(a.too_small);
  CHECK(a.why == "a has 64 elements and needs at least 71");
  arguments[6].number = 8;
  CHECK(gemm.make({gemm, arguments}).launch.grid.count() == 1);
}

TEST_CASE("a device workload waits until it has a launch, runs it once and says when it has drained") {
  std::array<std::byte, 1024> buffer{};
  DeviceWorkload workload;
  int drained = 0;
  workload.drained = [&drained] { ++drained; };
  CHECK(workload.next() == nullptr);
  CHECK(workload.waiting());
  const DeviceKernel& kernel = *find_device_kernel("spmv");
  workload.launch(kernel.make({kernel, some_arguments(kernel, buffer.data())}));
  REQUIRE(workload.next() != nullptr);
  CHECK(drained == 0);
  CHECK(workload.next() == nullptr);
  CHECK(drained == 1);
  CHECK(workload.next() == nullptr);
  CHECK(drained == 1);
  workload.close();
  CHECK_FALSE(workload.waiting());
}

TEST_CASE("mapped memory is found beside arrays and must not overlap them") {
  std::array<std::byte, 256> ram{};
  Memory memory;
  const Array<float> own = memory.array<float>("own", 64);
  memory.map("ram", 0x1000, ram.size(), ram.data());
  ram[5] = std::byte{7};
  CHECK(memory.find(0x1005) == &ram[5]);
  CHECK(memory.find(0x1100) == nullptr);
  CHECK(memory.find(own.base) == reinterpret_cast<std::byte*>(own.data));
  CHECK_THROWS_AS(memory.map("over", 0x10FF, 1, ram.data()), InputError);
  CHECK_THROWS_AS(memory.map("around", 0x0F00, 0x1000, ram.data()), InputError);
  memory.map("behind", 0x1100, 16, ram.data());
  CHECK(memory.find(0x1104) == &ram[4]);
}
