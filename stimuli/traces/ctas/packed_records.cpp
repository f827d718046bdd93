#include "stimuli/traces/ctas/packed_records.h"

#include <initializer_list>

#include "model/base/barriers/cta_barriers.h"
#include "model/base/barriers/mbarriers.h"

namespace wharf::traces {

namespace {

constexpr std::uint8_t kArrivesOnly = 1, kOfCluster = 2;  // of a barrier instruction

void append_text(std::vector<std::uint8_t>& bytes, const std::string& text) {
  append_number(bytes, text.size());
  bytes.insert(bytes.end(), text.begin(), text.end());
}

std::string read_text(PackedBytes& bytes) {
  const std::size_t size = bytes.number();
  return {reinterpret_cast<const char*>(bytes.read(size)), size};
}

/// The next number, which must be below `end`.
std::uint64_t read_below(PackedBytes& bytes, std::uint64_t end) {
  const std::uint64_t value = bytes.number();
  if (value >= end) PackedBytes::damaged();
  return value;
}

/// The number of records that follow: each has at least one byte.
std::size_t read_count(PackedBytes& bytes) {
  const std::uint64_t count = bytes.number();
  if (count > bytes.remaining()) PackedBytes::damaged();
  return count;
}

std::uint32_t read_u32(PackedBytes& bytes) { return static_cast<std::uint32_t>(read_below(bytes, std::uint64_t{1} << 32)); }

/// The cache operator is in the lowest bit of a byte, the hint for L2 above it.
std::uint8_t cache_byte(const StaticInstruction& instruction) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(instruction.cache_op) | static_cast<unsigned>(instruction.eviction) << 1);
}

/// It may have an mbarrier.
bool is_of_cluster(const StaticInstruction& instruction) {
  return is_shared_memory(instruction.unit) && instruction.space == Space::cluster;
}

void append_instruction(std::vector<std::uint8_t>& bytes, const StaticInstruction& instruction) {
  append_number(bytes, instruction.pc);
  for (const std::uint8_t byte : {static_cast<std::uint8_t>(instruction.unit), static_cast<std::uint8_t>(instruction.space),
                                  cache_byte(instruction), instruction.access_bytes, instruction.destination})
    bytes.push_back(byte);
  bytes.insert(bytes.end(), instruction.sources.begin(), instruction.sources.end());
  if (instruction.unit == Unit::tensor) bytes.push_back(instruction.unit_cycles);
  if (is_of_cluster(instruction)) append_number(bytes, instruction.mbarrier);
  if (instruction.unit != Unit::barrier) return;
  const BarrierUse& use = instruction.barrier;
  const auto kind = static_cast<std::uint8_t>((use.arrives_only ? kArrivesOnly : 0) | (use.of_cluster ? kOfCluster : 0));
  for (const std::uint8_t byte : {use.number, use.warps, kind}) bytes.push_back(byte);
}

StaticInstruction read_instruction(PackedBytes& bytes) {
  StaticInstruction instruction;
  instruction.pc = read_u32(bytes);
  const std::uint8_t* fields = bytes.read(5);
  if (fields[0] >= kUnits || fields[1] > static_cast<unsigned>(Space::cluster) || fields[2] >> 1 > static_cast<unsigned>(Eviction::last) ||
      fields[3] == 0 || fields[3] > 32)
    PackedBytes::damaged();
  instruction.unit = static_cast<Unit>(fields[0]);
  instruction.space = static_cast<Space>(fields[1]);
  instruction.cache_op = static_cast<CacheOp>(fields[2] & 1);
  instruction.eviction = static_cast<Eviction>(fields[2] >> 1);
  instruction.access_bytes = fields[3];
  instruction.destination = fields[4];
  bytes.copy_to(instruction.sources);
  if (instruction.unit == Unit::tensor) instruction.unit_cycles = *bytes.read(1);
  if (is_of_cluster(instruction)) instruction.mbarrier = read_u32(bytes);
  if (instruction.unit != Unit::barrier) return instruction;
  const std::uint8_t* barrier = bytes.read(3);
  const bool of_cluster = (barrier[2] & kOfCluster) != 0;
  if (barrier[0] >= (of_cluster ? kMbarrierOps : CtaBarriers::kCount) || barrier[2] > (kArrivesOnly | kOfCluster)) PackedBytes::damaged();
  instruction.barrier = {barrier[0], barrier[1], (barrier[2] & kArrivesOnly) != 0, of_cluster};
  return instruction;
}

}  // namespace

void append_head(std::vector<std::uint8_t>& bytes, const PackedHead& head) {
  const KernelLaunch& launch = head.launch;
  append_number(bytes, head.source_bytes);
  append_number(bytes, head.source_time);
  append_text(bytes, head.source_fingerprint);
  append_text(bytes, launch.name);
  for (const std::uint64_t number :
       {launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y, launch.block.z, launch.cluster.x, launch.cluster.y,
        launch.cluster.z, launch.registers_per_thread, launch.shared_bytes})
    append_number(bytes, number);
  append_number(bytes, launch.stream);
}

PackedHead read_head(PackedBytes& bytes) {
  PackedHead head;
  KernelLaunch& launch = head.launch;
  head.source_bytes = bytes.number();
  head.source_time = bytes.number();
  head.source_fingerprint = read_text(bytes);
  launch.name = read_text(bytes);
  for (std::uint32_t* number :
       {&launch.grid.x, &launch.grid.y, &launch.grid.z, &launch.block.x, &launch.block.y, &launch.block.z, &launch.cluster.x,
        &launch.cluster.y, &launch.cluster.z, &launch.registers_per_thread, &launch.shared_bytes})
    *number = read_u32(bytes);
  launch.stream = bytes.number();
  launch.local_offsets = true;
  if (launch.grid.count() == 0 || launch.block.count() == 0 || launch.cluster.count() == 0) PackedBytes::damaged();
  return head;
}

void append_step(std::vector<std::uint8_t>& bytes, const CtaStep& step, bool more) {
  append_number(bytes, more ? step.cta.number + 1 : 0);
  append_number(bytes, step.line);
  append_number(bytes, step.consumed);
  append_number(bytes, step.code.size());
  for (const StaticInstruction& instruction : step.code) append_instruction(bytes, instruction);
  append_number(bytes, step.warnings.size());
  for (const Warning& warning : step.warnings) {
    append_text(bytes, warning.text);
    append_text(bytes, warning.first_place.substr(warning.first_place.rfind(':')));
    append_number(bytes, warning.count);
  }
  if (!more) return;
  append_number(bytes, step.cta.cluster_line);
  append_number(bytes, step.cta.warps.size());
  for (const PackedWarp& warp : step.cta.warps) {
    append_number(bytes, warp.instructions);
    append_number(bytes, warp.bytes.size());
    bytes.insert(bytes.end(), warp.bytes.begin(), warp.bytes.end());
  }
}

bool read_step(PackedBytes& bytes, const KernelLaunch& launch, const std::string& path, CtaStep& step) {
  const std::uint64_t number = bytes.number();
  if (number > launch.grid.count()) PackedBytes::damaged();
  step.line = bytes.number();
  step.consumed = bytes.number();
  step.code.resize(read_count(bytes));
  for (StaticInstruction& instruction : step.code) instruction = read_instruction(bytes);
  step.warnings.resize(read_count(bytes));
  for (Warning& warning : step.warnings) {
    warning.text = read_text(bytes);
    warning.first_place = path + read_text(bytes);
    warning.count = bytes.number();
  }
  step.cta.warps.clear();
  if (number == 0) return false;
  step.cta.number = number - 1;
  step.cta.cluster_line = bytes.number();
  step.cta.warps.resize(read_count(bytes));
  if (!step.cta.warps.empty() && step.cta.warps.size() != launch.warps_per_cta()) PackedBytes::damaged();
  for (PackedWarp& warp : step.cta.warps) {
    warp.instructions = bytes.number();
    const std::size_t size = bytes.number();
    const std::uint8_t* begin = bytes.read(size);
    warp.bytes.assign(begin, begin + size);
  }
  return true;
}

}  // namespace wharf::traces
