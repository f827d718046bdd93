#pragma once
// The specification of a `wharf sweep`: the YAML file of docs/howto-sweep.md.
//
//   configs: [private, private_16x_l1]
//   points: [{name: half_l1, extends: private, set: {l1.capacity_kib: 8}, published: {ipc: 12.5}}]     # more of them, a line each
//   suites: [quick]                        # and, or instead: stimuli: [gemm@std, trace:DIR:3-7], traces: [DIR]
//   vary: {l1.capacity_kib: [16, 32]}      # every combination
//   zip: {l2.ways: [8, 16], l2.mshrs: [32, 64]}    # in step
//   search:
//     - {name: best, key: l1.mshrs, values: [16, 64], objective: max ipc, tie: first}
//   metrics: [ipc, l1.miss_rate]
//   limit_warp_instructions: 1000000       # every run ends after so many
//   sample: 5                              # as in `wharf run` (docs/howto-sample.md); so is sample_error: 2%
//   skip_bad_kernels: true                 # of traces, as in `wharf run`; so is strict_opcodes
//   load: warm.ckpt                        # every run goes on from this checkpoint (docs/howto-save.md)

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/config/layers.h"

namespace wharf::cli {

/// One machine, or the best machine of a search: one line of the result per stimulus.
struct SweepLine {
  std::string config;                                     // the search's name where it chooses among configurations
  std::vector<std::string> overrides;                     // "l1.ways=8"
  std::string search_name;                                // empty without a search
  std::optional<config::Search> search;                   // over runs of this line
  std::vector<std::pair<std::string, double>> published;  // metrics and figures of a point's source
};

struct SweepSpec {
  std::string description;
  std::vector<std::string> stimuli, metrics;
  std::vector<std::string> keys;    // that are varied
  std::vector<std::string> zipped;  // those of them that change together
  std::vector<SweepLine> lines;
  std::uint64_t seed = 1, sample = 0;                     // as in RunSpec
  double sample_error = 0;                                // of cycles, to which samples grow; 0: they do not
  bool skip_bad_kernels = false, strict_opcodes = false;  // of traces
  std::string load;  // a checkpoint, as from the present folder; empty: the runs begin at the beginning
};

/// Reads the shipped sweep of this name, or of a path. Throws InputError with the mistakes in it, each with file:line:column and
/// the remedy: unknown keys, configurations, stimuli and metrics, and values that a machine cannot have. Nothing has run then.
SweepSpec read_sweep(const std::string& name);

}  // namespace wharf::cli
