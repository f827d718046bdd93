#include "stimuli/synthetic/micro_kernels.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "model/base/archive.h"
#include "model/base/cluster_member.h"
#include "model/base/error.h"
#include "model/base/rng.h"
#include "stimuli/synthetic/fields.h"

namespace wharf {
namespace {

constexpr Address kBase = 0x1'0000'0000, kMib = 1 << 20, kChunk = 8 << 10;
constexpr std::uint32_t kLinesOfChunk = 4096 / kLineBytes;  // that a table of one half uses
constexpr std::uint32_t kBothHalves = 2;
constexpr std::uint32_t kPeerBytes = 32 << 10;  // of shared memory of a CTA that others access
constexpr RegisterId kFirstLoaded = 8;
constexpr std::uint32_t kWarmUpPc = 0x10, kAccessPc = 0x20;

/// The lines of a table.
class Table {
 public:
  Table(std::uint32_t half, std::uint64_t seed) : half_(half), base_(kBase + Rng(seed).below(1024) * kMib) {}

  Address line(std::uint64_t number) const {
    if (half_ == kBothHalves) return base_ + number * kLineBytes;
    std::uint64_t chunk = base_ / kChunk + 2 * (number / kLinesOfChunk);  // of two neighbours one has the parity
    if (static_cast<unsigned>(__builtin_parityll(chunk)) != half_) ++chunk;
    return chunk * kChunk + number % kLinesOfChunk * kLineBytes;
  }

 private:
  std::uint32_t half_;
  Address base_;
};

/// Instructions that a stimulus makes one at a time.
class CountedStream : public WarpStream {
 public:
  explicit CountedStream(std::uint64_t instructions) : instructions_(instructions) {}

  const WarpInstruction* peek() override {
    if (next_ == instructions_) return nullptr;
    if (!prepared_) prepare(next_, instruction_);
    prepared_ = true;
    return &instruction_;
  }

  void advance() override {
    ++next_;
    prepared_ = false;
  }

 protected:
  virtual void prepare(std::uint64_t number, WarpInstruction& instruction) const = 0;

 private:
  std::uint64_t instructions_, next_ = 0;
  bool prepared_ = false;
  WarpInstruction instruction_;
};

enum class Part : std::uint8_t { warm_up, shorter, longer };

/// The kernels one after another.
class MicroStimulus : public Stimulus {
 public:
  MicroStimulus(bool warms_up, const KernelLaunch& launch) : launch_(launch), first_(warms_up ? Part::warm_up : Part::shorter) {
    next_ = static_cast<std::uint8_t>(first_);
  }

  const KernelLaunch* next_kernel() override {
    constexpr const char* kNames[] = {"warm_up", "short", "long"};
    if (next_ == kParts) return nullptr;
    launch_.name = kNames[next_++];
    opened_ = 0;
    return &launch_;
  }

  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override {
    opened_ = cta + 1;
    return open(static_cast<Part>(next_ - 1), cta);
  }

  bool is_recorded() const override { return true; }
  bool archive(Archive& file) override {
    file(next_, opened_);
    return true;
  }

  double progress() const override {
    const double kernels = kParts - static_cast<std::uint8_t>(first_);
    const double ended = next_ - static_cast<std::uint8_t>(first_) - 1 + static_cast<double>(opened_) / double(launch_.grid.count());
    return std::max(0.0, ended) / kernels;
  }

 protected:
  virtual std::vector<std::unique_ptr<WarpStream>> open(Part part, std::uint64_t cta) const = 0;

 private:
  static constexpr std::uint8_t kParts = 3;
  KernelLaunch launch_;
  Part first_;
  std::uint8_t next_;
  std::uint64_t opened_ = 0;
};

KernelLaunch launch_of(std::uint32_t ctas, std::uint32_t warps, std::uint32_t shared_bytes, std::uint32_t cluster) {
  KernelLaunch launch;
  launch.grid = {ctas, 1, 1};
  launch.block = {warps * kLanes, 1, 1};
  launch.shared_bytes = shared_bytes;
  launch.cluster.x = cluster;
  return launch;
}

std::uint64_t accesses_of(Part part, std::uint32_t of_short) { return std::uint64_t{of_short} * (part == Part::longer ? 2 : 1); }
/// Accesses of the kernels before it, warm_up aside: with nothing cached, `long` goes on where `short` has ended.
std::uint64_t accesses_before(Part part, std::uint32_t of_short) { return part == Part::longer ? of_short : 0; }

struct ChaseTable {
  ChaseParams params;
  Table table;
  std::vector<std::uint32_t> order;  // of the lines, read again from its start

  Address address(std::uint64_t number) const {
    const std::uint32_t line = order[number % order.size()];
    return params.shared != 0 ? Address{line} * kLineBytes : table.line(line);
  }
};

class ChaseStream final : public CountedStream {
 public:
  ChaseStream(const ChaseTable& table, std::uint64_t first, std::uint64_t loads) : CountedStream(loads), table_(table), first_(first) {}

 protected:
  void prepare(std::uint64_t number, WarpInstruction& instruction) const override {
    instruction.pc = kAccessPc;
    instruction.unit = table_.params.shared != 0 ? Unit::shared : Unit::load;
    instruction.destination = instruction.sources[0] = kFirstLoaded;
    instruction.active = 1;
    instruction.addresses[0] = table_.address(first_ + number);
    if (table_.params.cluster == 1) return;
    instruction.space = Space::cluster;
    instruction.addresses[0] = cluster_address(table_.params.of, instruction.addresses[0]);
  }

 private:
  const ChaseTable& table_;
  std::uint64_t first_;
};

/// Reads each line of the table once, a line per lane.
class ChaseWarmUp final : public CountedStream {
 public:
  explicit ChaseWarmUp(const ChaseTable& table) : CountedStream((table.order.size() + kLanes - 1) / kLanes), table_(table) {}

 protected:
  void prepare(std::uint64_t number, WarpInstruction& instruction) const override {
    instruction.pc = kWarmUpPc;
    instruction.unit = Unit::load;
    instruction.destination = kFirstLoaded;
    for (unsigned lane = 0; lane < kLanes; ++lane) instruction.addresses[lane] = table_.address(number * kLanes + lane);
  }

 private:
  const ChaseTable& table_;
};

class ChaseStimulus final : public MicroStimulus {
 public:
  ChaseStimulus(const ChaseParams& params, std::uint64_t seed)
      : MicroStimulus(
            params.warm != 0 && params.shared == 0,
            launch_of(std::max(params.warm_by + 1, params.cluster), 1, params.shared != 0 ? params.lines * kLineBytes : 0, params.cluster)),
        table_{params, Table(params.half, seed), std::vector<std::uint32_t>(params.lines)} {
    std::iota(table_.order.begin(), table_.order.end(), 0u);
    Rng rng(seed, 1);
    for (std::size_t i = params.lines; i > 1; --i) std::swap(table_.order[i - 1], table_.order[rng.below(i)]);
  }

  /// Throws InputError where the GPU lacks the SM that warms up.
  void run_on(const RunningGpu& gpu) override {
    if (table_.params.warm_by < gpu.sms()) return;
    throw InputError(
        fmt::format("chase: warm_by={} is not an SM of this GPU, which has {}; choose a lower one", table_.params.warm_by, gpu.sms()));
  }

 protected:
  std::vector<std::unique_ptr<WarpStream>> open(Part part, std::uint64_t cta) const override {
    const ChaseParams& params = table_.params;
    std::vector<std::unique_ptr<WarpStream>> warps;
    if (cta != (part == Part::warm_up ? params.warm_by : params.from)) return warps;
    if (part == Part::warm_up) {
      warps.push_back(std::make_unique<ChaseWarmUp>(table_));
      return warps;
    }
    const std::uint64_t into_l1 = params.warm == 2 && params.shared == 0 ? params.lines : 0;
    const std::uint64_t first = params.reads_once() ? accesses_before(part, params.loads) : 0;
    warps.push_back(std::make_unique<ChaseStream>(table_, first, into_l1 + accesses_of(part, params.loads)));
    return warps;
  }

 private:
  ChaseTable table_;
};

/// A piece of the table is what a warp instruction accesses.
class PieceStream final : public CountedStream {
 public:
  /// Its accesses are pieces `first`, `first + stride`, ...
  PieceStream(const StreamParams& params, const Table& table, Part part, std::uint64_t first, std::uint64_t stride, std::uint64_t accesses,
              unsigned peer = 0)
      : CountedStream(accesses), params_(params), table_(table), part_(part), first_(first), stride_(stride), peer_(peer) {}

 protected:
  void prepare(std::uint64_t number, WarpInstruction& instruction) const override {
    const std::uint64_t piece_bytes = params_.bytes_per_instruction(), pieces = std::uint64_t{params_.lines} * kLineBytes / piece_bytes;
    const std::uint64_t offset = (first_ + number * stride_) % pieces * piece_bytes;
    const Address start = table_.line(offset / kLineBytes);
    const bool stores = params_.store != 0 && part_ != Part::warm_up;
    instruction.pc = part_ == Part::warm_up ? kWarmUpPc : kAccessPc;
    instruction.unit = stores ? Unit::store : Unit::load;
    if (params_.cluster > 1) return prepare_peer(number, stores, instruction);
    instruction.cache_op = params_.l1 != 0 ? CacheOp::all : CacheOp::bypass_l1;
    instruction.access_bytes = static_cast<std::uint8_t>(params_.bytes);
    instruction.destination = stores ? kNoRegister : static_cast<RegisterId>(kFirstLoaded + number % params_.in_flight);
    for (unsigned lane = 0; lane < kLanes; ++lane) instruction.addresses[lane] = start + lane * params_.bytes;
  }

 private:
  /// Accesses the shared memory of rank `peer_`.
  void prepare_peer(std::uint64_t number, bool stores, WarpInstruction& instruction) const {
    const std::uint64_t pieces = kPeerBytes / params_.bytes_per_instruction();
    const Address start = cluster_address(peer_, (first_ + number) % pieces * params_.bytes_per_instruction());
    instruction.unit = Unit::shared;
    instruction.space = Space::cluster;
    instruction.access_bytes = static_cast<std::uint8_t>(params_.bytes);
    instruction.destination = stores ? kNoRegister : static_cast<RegisterId>(kFirstLoaded + number % params_.in_flight);
    for (unsigned lane = 0; lane < kLanes; ++lane) instruction.addresses[lane] = start + lane * params_.bytes;
  }

  const StreamParams& params_;
  const Table& table_;
  Part part_;
  std::uint64_t first_, stride_;
  unsigned peer_;
};

class StreamStimulus final : public MicroStimulus {
 public:
  StreamStimulus(const StreamParams& params, std::uint64_t seed)
      : MicroStimulus(params.warm != 0 && params.accesses != 0 && params.cluster == 1,
                      launch_of(params.first + (params.ctas - 1) * params.step + 1, params.warps, params.cluster > 1 ? kPeerBytes : 0,
                                params.cluster)),
        params_(params),
        table_(params.half, seed) {}

  /// Throws InputError where the GPU has too few SMs: some would take two CTAs.
  void run_on(const RunningGpu& gpu) override {
    const std::uint64_t needed = params_.first + std::uint64_t{params_.ctas - 1} * params_.step + 1;
    if (needed > gpu.sms())
      throw InputError(fmt::format("stream: ctas={},first={},step={} needs {} SMs, but the GPU has {}; lower one of them", params_.ctas,
                                   params_.first, params_.step, needed, gpu.sms()));
  }

 protected:
  std::vector<std::unique_ptr<WarpStream>> open(Part part, std::uint64_t cta) const override {
    std::vector<std::unique_ptr<WarpStream>> warps;
    if (cta < params_.first || (cta - params_.first) % params_.step != 0) return warps;
    const std::uint64_t rank = cta % params_.cluster;
    if (params_.cluster > 1 && params_.ring == 0 && (rank == 0) == (params_.gather != 0)) return warps;
    const bool warms = part == Part::warm_up;
    const std::uint64_t number = (cta - params_.first) / params_.step, ctas = warms ? params_.ctas : params_.apart();
    const std::uint64_t all_warps = ctas * params_.warps;
    const std::uint64_t pieces = std::uint64_t{params_.lines} * kLineBytes / params_.bytes_per_instruction();
    const std::uint64_t accesses = warms ? (pieces + all_warps - 1) / all_warps : accesses_of(part, params_.accesses);
    const std::uint64_t before = params_.warm == 0 ? accesses_before(part, params_.accesses) : 0;
    for (std::uint32_t w = 0; w < params_.warps; ++w) {
      const std::uint64_t first = before * all_warps + number % ctas * params_.warps + w;
      warps.push_back(std::make_unique<PieceStream>(params_, table_, part, first, all_warps, accesses,
                                                    params_.gather != 0 ? 0 : static_cast<unsigned>((rank + 1) % params_.cluster)));
    }
    return warps;
  }

 private:
  StreamParams params_;
  Table table_;
};

constexpr Field<ChaseParams> kChaseFields[] = {{"loads", &ChaseParams::loads, 1, 1'000'000},
                                               {"lines", &ChaseParams::lines, 1, 1u << 24},
                                               {"warm", &ChaseParams::warm, 0, 2},
                                               {"warm_by", &ChaseParams::warm_by, 0, 4095},
                                               {"half", &ChaseParams::half, 0, kBothHalves},
                                               {"shared", &ChaseParams::shared, 0, 1},
                                               {"cluster", &ChaseParams::cluster, 1, kMostClusterCtas},
                                               {"from", &ChaseParams::from, 0, kMostClusterCtas - 1},
                                               {"of", &ChaseParams::of, 0, kMostClusterCtas - 1}};

constexpr Field<StreamParams> kStreamFields[] = {{"accesses", &StreamParams::accesses, 0, 1'000'000},
                                                 {"ctas", &StreamParams::ctas, 1, 4096},
                                                 {"first", &StreamParams::first, 0, 4095},
                                                 {"step", &StreamParams::step, 1, 64},
                                                 {"warps", &StreamParams::warps, 1, 32},
                                                 {"bytes", &StreamParams::bytes, 4, 16},
                                                 {"lines", &StreamParams::lines, 1, 1u << 24},
                                                 {"in_flight", &StreamParams::in_flight, 1, 16},
                                                 {"warm", &StreamParams::warm, 0, 1},
                                                 {"half", &StreamParams::half, 0, kBothHalves},
                                                 {"l1", &StreamParams::l1, 0, 1},
                                                 {"store", &StreamParams::store, 0, 1},
                                                 {"together", &StreamParams::together, 0, 1},
                                                 {"cluster", &StreamParams::cluster, 1, kMostClusterCtas},
                                                 {"ring", &StreamParams::ring, 0, 1},
                                                 {"gather", &StreamParams::gather, 0, 1}};

}  // namespace

ChaseParams parse_chase(const std::string& arguments) {
  const auto params = parse_fields("chase", kChaseFields, arguments);
  if (params.cluster > 1 && params.shared == 0)
    throw InputError(fmt::format("chase: cluster={} has no effect with shared=0; write shared=1", params.cluster));
  if (std::max(params.from, params.of) >= params.cluster)
    throw InputError(
        fmt::format("chase: from={},of={} are not both ranks of cluster={}; choose lower ones", params.from, params.of, params.cluster));
  if (params.shared != 0 || params.warm == 2) return params;
  const std::uint64_t needed = std::uint64_t{params.loads} * (params.reads_once() ? 3 : 2);
  if (params.lines < needed)
    throw InputError(fmt::format("chase: lines={} is less than the {} lines that loads={} must read once each with warm={}; write lines={}",
                                 params.lines, needed, params.loads, params.warm, needed));
  return params;
}

StreamParams parse_stream(const std::string& arguments) {
  const auto params = parse_fields("stream", kStreamFields, arguments);
  if (params.bytes != 4 && params.bytes != 8 && params.bytes != 16)
    throw InputError(fmt::format("stream: bytes={} is not a width of an access; write 4, 8 or 16", params.bytes));
  if (params.cluster > 1 && (params.first != 0 || params.step != 1 || params.ctas % params.cluster != 0))
    throw InputError(fmt::format("stream: cluster={} needs first=0, step=1 and a multiple of {} ctas", params.cluster, params.cluster));
  for (const auto& [name, value] : {std::pair{"ring", params.ring}, {"gather", params.gather}})
    if (params.cluster == 1 && value != 0)
      throw InputError(fmt::format("stream: {}=1 has no effect with cluster=1; write cluster=2 or more", name));
  if (params.ring != 0 && params.gather != 0) throw InputError("stream: ring=1 and gather=1 exclude each other; write one of them");
  const std::uint64_t piece = params.bytes_per_instruction() / kLineBytes;
  if (params.lines % piece != 0)
    throw InputError(fmt::format("stream: lines={} is not a multiple of the {} lines that a warp accesses at once", params.lines, piece));
  const std::uint64_t needed = 3 * std::uint64_t{params.accesses} * params.apart() * params.warps * piece;
  if (params.warm == 0 && params.lines < needed)
    throw InputError(
        fmt::format("stream: lines={} is less than the {} lines that must be accessed once each with warm=0; write fewer "
                    "accesses or more lines",
                    params.lines, needed));
  return params;
}

std::unique_ptr<Stimulus> make_chase(const ChaseParams& params, std::uint64_t seed) {
  return std::make_unique<ChaseStimulus>(params, seed);
}

std::unique_ptr<Stimulus> make_stream(const StreamParams& params, std::uint64_t seed) {
  return std::make_unique<StreamStimulus>(params, seed);
}

}  // namespace wharf
