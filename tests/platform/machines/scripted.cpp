#include "tests/platform/machines/scripted.h"

#include "model/base/cluster_member.h"

namespace wharf::test {
namespace {

class ScriptedWarp final : public WarpStream {
 public:
  explicit ScriptedWarp(const Instructions& instructions) : instructions_(instructions) {}

  const WarpInstruction* peek() override { return next_ < instructions_.size() ? &instructions_[next_] : nullptr; }
  void advance() override { ++next_; }

 private:
  const Instructions& instructions_;
  std::size_t next_ = 0;
};

WarpInstruction accessing(Unit unit, Address address, LaneMask active, unsigned stride) {
  WarpInstruction instruction;
  instruction.unit = unit;
  instruction.active = active;
  for (unsigned lane = 0; lane < kLanes; ++lane) instruction.addresses[lane] = address + std::uint64_t{stride} * lane;
  return instruction;
}

}  // namespace

ScriptedKernel one_warp(Instructions instructions) {
  ScriptedKernel kernel;
  kernel.ctas = {{std::move(instructions)}};
  return kernel;
}

const KernelLaunch* Scripted::next_kernel() {
  if (started_ == kernels_.size()) return nullptr;
  const ScriptedKernel& kernel = kernels_[started_++];
  launch_.name = "kernel_" + std::to_string(started_);
  launch_.grid = {static_cast<std::uint32_t>(kernel.ctas.size()), 1, 1};
  launch_.block = {kernel.warps_per_cta * kLanes, 1, 1};
  launch_.registers_per_thread = kernel.registers_per_thread;
  launch_.shared_bytes = kernel.shared_bytes;
  launch_.local_offsets = kernel.local_offsets;
  launch_.frame = kernel.frame;
  launch_.l2_window = kernel.l2_window;
  launch_.resets_persisting = kernel.resets_persisting;
  launch_.persisting_limit = kernel.persisting_limit;
  launch_.stream = kernel.stream;
  launch_.cluster = kernel.cluster;
  return &launch_;
}

std::vector<std::unique_ptr<WarpStream>> Scripted::open_cta(std::uint64_t cta) {
  std::vector<std::unique_ptr<WarpStream>> warps;
  for (const Instructions& warp : kernels_[started_ - 1].ctas[cta]) warps.push_back(std::make_unique<ScriptedWarp>(warp));
  return warps;
}

WarpInstruction shared_of(unsigned rank, Address offset, RegisterId destination, RegisterId source, LaneMask active, unsigned stride) {
  WarpInstruction instruction = shared(cluster_address(rank, offset), destination, source, active, stride);
  instruction.space = Space::cluster;
  return instruction;
}

WarpInstruction cluster_arrive() {
  WarpInstruction instruction = barrier();
  instruction.barrier.arrives_only = instruction.barrier.of_cluster = true;
  return instruction;
}

WarpInstruction cluster_wait() {
  WarpInstruction instruction = barrier();
  instruction.barrier.of_cluster = true;
  return instruction;
}

WarpInstruction mbarrier(MbarrierOp op, Address offset, std::uint32_t value, unsigned rank) {
  WarpInstruction instruction = barrier();
  MbarrierUse{op, cluster_address(rank, offset), value}.put_into(instruction);
  return instruction;
}

WarpInstruction arrive(Address offset, unsigned rank, std::uint32_t arrivals, std::int32_t bytes) {
  WarpInstruction instruction = barrier();
  MbarrierUse{MbarrierOp::arrive, cluster_address(rank, offset), arrivals, bytes}.put_into(instruction);
  return instruction;
}

WarpInstruction load(Address address, RegisterId destination, RegisterId source, LaneMask active, unsigned stride) {
  WarpInstruction instruction = accessing(Unit::load, address, active, stride);
  instruction.destination = destination;
  instruction.sources[0] = source;
  return instruction;
}

WarpInstruction store(Address address, RegisterId source, LaneMask active, unsigned stride) {
  WarpInstruction instruction = accessing(Unit::store, address, active, stride);
  instruction.sources[0] = source;
  return instruction;
}

WarpInstruction atomic(Address address, RegisterId destination, LaneMask active) {
  WarpInstruction instruction = accessing(Unit::atomic, address, active, 4);
  instruction.destination = destination;
  return instruction;
}

WarpInstruction shared(Address address, RegisterId destination, RegisterId source, LaneMask active, unsigned stride) {
  WarpInstruction instruction = accessing(Unit::shared, address, active, stride);
  instruction.destination = destination;
  instruction.sources[0] = source;
  return instruction;
}

WarpInstruction compute(Unit unit, RegisterId destination, RegisterId source) {
  WarpInstruction instruction;
  instruction.unit = unit;
  instruction.destination = destination;
  instruction.sources[0] = source;
  return instruction;
}

WarpInstruction barrier() { return compute(Unit::barrier); }

WarpInstruction exit_warp() { return compute(Unit::exit); }

Instructions load_chase(Address base, unsigned length, std::uint64_t step) {
  Instructions instructions;
  for (unsigned i = 0; i < length; ++i) instructions.push_back(load(base + i * step, 1, 1));
  return instructions;
}

}  // namespace wharf::test
