#include "stimuli/traces/trace_check.h"

#include <algorithm>
#include <memory>

#include "model/base/bits.h"
#include "stimuli/traces/ctas/seen_ctas.h"
#include "stimuli/traces/kernel_reader.h"
#include "stimuli/traces/trace_error.h"
#include "stimuli/traces/trace_list.h"

namespace wharf::traces {

namespace {

class Checker {
 public:
  Checker(CheckReport& report, UnknownOpcodes unknown) : report_(report), unknown_(unknown) {}

  void check_all(const std::string& path) {
    collect([&] {
      std::vector<TraceError> mistyped;
      const TraceList list = read_trace_list(path, &mistyped);
      for (const TraceError& mistake : mistyped) add(mistake);
      warnings_.add(list.warnings);
      for (const ListedKernel& kernel : list.kernels) {
        collect([&] {
          require_file(list, kernel);
          check_kernel(kernel.path);
        });
      }
    });
    report_.warnings = warnings_.list();
  }

 private:
  void add(const TraceError& mistake) { report_.problems.push_back({mistake.file(), mistake.line(), mistake.text(), mistake.remedy()}); }

  /// Runs `step`, and turns a mistake in it into a problem of the report. Returns false where there was one.
  template <typename Step>
  bool collect(Step step) {
    try {
      step();
      return true;
    } catch (const TraceError& error) {
      add(error);
      return false;
    }
  }

  void check_kernel(const std::string& path) {
    KernelReader kernel(path, warnings_, unknown_);
    SeenCtas seen;
    unsigned problems = 0;
    TracedCta cta;
    for (bool more = true; more;) {
      const bool good = collect([&] {
        more = kernel.next_cta(cta);
        if (more && !seen.add(cta.number)) {
          throw duplicate_cta(path, kernel.source().line_number(), cta.number);
        }
      });
      if (good) continue;
      if (++problems == kMostProblemsPerFile) return;
      if (!kernel.source().terminated()) break;
      collect([&] {
        more = false;
        more = kernel.skip_to_next_cta();
      });
    }
    // Defective CTAs are not counted, so missing CTAs are reported only for a file without other problems.
    const std::uint64_t expected = kernel.header().grid.count();
    if (problems == 0 && seen.count() != expected) {
      throw ctas_missing(path, kernel.source().line_number(), seen, expected);
    }
  }

  CheckReport& report_;
  const UnknownOpcodes unknown_;
  WarningLog warnings_;
};

void count_memory(const WarpInstruction& instruction, KernelInfo& info) {
  std::array<std::uint64_t, 2 * kLanes> sectors;  // a 16 B access may straddle two
  unsigned count = 0;
  for (const unsigned lane : set_bits(instruction.active)) {
    const Address address = instruction.addresses[lane];
    sectors[count++] = address / kSectorBytes;
    const Address last = (address + instruction.access_bytes - 1) / kSectorBytes;
    if (last != sectors[count - 1]) sectors[count++] = last;
  }
  std::sort(sectors.begin(), sectors.begin() + count);
  for (unsigned i = 0; i < count; ++i) {
    info.sectors += i == 0 || sectors[i] != sectors[i - 1];
    info.accesses += i == 0 || sectors[i] / kSectorsPerLine != sectors[i - 1] / kSectorsPerLine;
  }
  ++info.memory_instructions;
}

void count_warp(std::shared_ptr<const CodeTable> code, PackedWarp warp, KernelInfo& info) {
  info.packed_bytes += warp.bytes.size();
  info.warps += warp.instructions != 0;
  info.warp_instructions += warp.instructions;
  PackedStream stream(std::move(code), std::move(warp));
  for (const WarpInstruction* instruction = stream.peek(); instruction != nullptr; instruction = stream.peek()) {
    info.thread_instructions += lanes_in(instruction->active);
    ++info.by_unit[static_cast<unsigned>(instruction->unit)];
    if (is_global_memory(instruction->unit) && instruction->active != 0) count_memory(*instruction, info);
    stream.advance();
  }
}

KernelInfo info_of(const std::string& path, WarningLog& warnings) {
  KernelReader kernel(path, warnings);
  const KernelHeader& header = kernel.header();
  KernelInfo info;
  info.name = header.name;
  info.file = path;
  info.grid = header.grid;
  info.block = header.block;
  info.shared_bytes = header.shared_bytes;
  info.registers_per_thread = header.registers_per_thread;
  info.file_bytes = kernel.source().total_bytes();
  for (TracedCta cta; kernel.next_cta(cta);) {
    for (PackedWarp& warp : cta.warps) count_warp(kernel.code(), std::move(warp), info);
  }
  info.cluster = header.cluster;
  info.bulk_bytes = kernel.parser().bulk_bytes();
  info.replay_regions = kernel.parser().replay_regions();
  return info;
}

}  // namespace

CheckReport check(const std::string& path, UnknownOpcodes unknown) {
  CheckReport report;
  Checker(report, unknown).check_all(path);
  return report;
}

TraceInfo info(const std::string& path) {
  WarningLog warnings;
  const TraceList list = read_trace_list(path);
  warnings.add(list.warnings);
  TraceInfo info;
  for (const ListedKernel& kernel : list.kernels) {
    require_file(list, kernel);
    info.kernels.push_back(info_of(kernel.path, warnings));
  }
  info.warnings = warnings.list();
  return info;
}

}  // namespace wharf::traces
