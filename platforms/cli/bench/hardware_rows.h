#pragma once
// Published measurements of hardware as data (platforms/claims/hardware/*.yaml), one file per GPU, for comparison with the machines that
// model it:
//
//   rows:
//   - what: near hit                             # names the row
//     machine: gpus/ampere_a100                  # a configuration
//     stimulus: "chase:half=0"                   # chase or stream (stimuli/synthetic/micro_kernels.h)
//     unit: cycles                               # per load; or B/clk, GB/s, us, x
//     published: 208.0                           # a figure, or two bounds: [3.9, 4.4]
//     source: Luo et al., arXiv 2501.12084, table 4
//     kind: fitted                               # or fitted_together, prediction
//   - what: SMs of a TPC
//     stimulus: "stream:ctas=2"
//     relative_to: "stream:ctas=1"               # of unit x alone
//     known: {deviation: -20.0, cause: ..., page: docs/validation.md}    # in per cent
//     ...
//   - {what: peer load, machine: ..., unit: ..., published: ..., source: ..., not_modelled: thread-block clusters}
//
// `cycles` is the time per access of a chase. `B/clk` and `GB/s` are what all SMs of a stream move together, per core cycle or in time. Each
// is a difference between the kernels `long` and `short`. `us` is the time of the kernel `long`, from launch to end. `x` is the quotient of
// two B/clk. The limit of a deviation is 1 % for `fitted`, a figure to which one key was fitted; 10 % for `fitted_together`, where keys were
// fitted to several figures at once; and for `prediction` 5 % of cycles and us, 10 % otherwise. A known deviation is one beyond the limit
// whose cause is documented on `page`; it may move by the limit.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/base/config/tree/mistakes.h"

namespace wharf::cli {

enum class HardwareUnit { cycles, bytes_per_cycle, gigabytes_per_second, microseconds, ratio };
enum class HardwareKind { fitted, fitted_together, prediction };

/// As in the file.
const char* name_of(HardwareUnit);
const char* name_of(HardwareKind);

struct KnownDeviation {
  double deviation = 0.0;  // relative
  std::string cause, page;
};

struct HardwareRow {
  std::string what, machine, source;
  std::string stimulus, relative_to;  // empty: none
  std::string not_modelled;           // what the machine lacks; empty where it has a stimulus
  HardwareUnit unit = HardwareUnit::cycles;
  HardwareKind kind = HardwareKind::prediction;
  double low = 0.0, high = 0.0;  // published; equal for a figure
  std::optional<KnownDeviation> known;

  /// The largest accepted deviation, relative.
  double limit() const;
};

/// The file of a GPU's name, such as a100, or the path itself where `name` is that of a file. Throws InputError with the names that exist.
std::filesystem::path hardware_file(const std::string& name);

/// Loads one file. Throws InputError with every mistake as file:line:column.
std::vector<HardwareRow> load_hardware_rows(const std::filesystem::path& file);

}  // namespace wharf::cli
