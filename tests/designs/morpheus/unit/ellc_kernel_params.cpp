// Capacities of the extended LLC kernel (morpheus sections 6.1 and 7).

#include "model/designs/morpheus/cache_mode/ellc_kernel_params.h"

#include <catch2/catch.hpp>

using namespace wharf;

namespace {

EllcKernelParams with_warps(std::uint32_t rf, std::uint32_t l1, std::uint32_t smem = 0) {
  EllcKernelParams p;
  p.rf_warps = rf;
  p.l1_warps = l1;
  p.smem_warps = smem;
  return p;
}

constexpr auto kRf = EllcUnit::register_file;
constexpr auto kL1 = EllcUnit::l1;
constexpr auto kShared = EllcUnit::shared_memory;

}  // namespace

TEST_CASE("ellc kernel params: the evaluated organisation holds 50 blocks in a register-file set and 64 in an L1 set, 328 KiB an SM") {
  const EllcKernelParams p;
  CHECK(p.registers() == 61);
  CHECK(p.blocks(kRf) == 50);
  CHECK(p.blocks(kL1) == 64);
  CHECK(p.blocks(kShared) == 0);
  CHECK((32 * p.blocks(kRf) + 16 * p.blocks(kL1)) * kLineBytes == 328 * 1024);
}

TEST_CASE("ellc kernel params: the register rule gives the published capacities of a register file alone") {
  const auto blocks = [](std::uint32_t warps) { return with_warps(warps, 0).blocks(kRf); };
  CHECK(blocks(1) == 239);
  CHECK(blocks(8) == 239);  // 239 KiB, the maximum: with fewer warps, 256 registers per thread are the limit
  CHECK(blocks(16) == 115);
  CHECK(blocks(32) == 53);
  CHECK(blocks(48) == 32);  // 192 KiB
}

TEST_CASE("ellc kernel params: L1 and shared memory are one memory of 128 KiB, whose warps share it evenly") {
  CHECK(with_warps(0, 1).blocks(kL1) == 1024);
  CHECK(with_warps(0, 0, 32).blocks(kShared) == 32);
  CHECK(with_warps(0, 16, 16).blocks(kL1) == 32);
  CHECK(with_warps(0, 16, 16).blocks(kShared) == 32);
}

TEST_CASE("ellc kernel params: compression costs metadata and base registers, and a set counts as kappa times its registers") {
  EllcKernelParams p;
  p.compression.algorithm = "bdi";
  CHECK(p.data_blocks(kRf) == 46);
  CHECK(p.most_blocks(kRf) == 96);
  CHECK(p.blocks(kRf) == 69);  // 46 * 1.5
  CHECK(p.blocks(kL1) == 64);
  p.compression.kappa = 1.0;
  CHECK(p.blocks(kRf) == 46);
  p.compression.kappa = 4.0;
  CHECK(p.blocks(kRf) == 96);
}

TEST_CASE("ellc kernel params: warps are numbered register file first, then L1, then shared memory") {
  const EllcKernelParams p = with_warps(2, 3, 1);
  CHECK(p.unit_of(1) == kRf);
  CHECK(p.unit_of(2) == kL1);
  CHECK(p.unit_of(4) == kL1);
  CHECK(p.unit_of(5) == kShared);
}
