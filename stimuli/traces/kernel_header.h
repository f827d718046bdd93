#pragma once
// The `-key = value` lines at the head of a kernel's trace file.

#include <cstdint>
#include <string>
#include <string_view>

#include "model/base/types.h"
#include "stimuli/traces/bytes/line_source.h"
#include "stimuli/traces/warning_log.h"

namespace wharf::traces {

/// The properties of one kernel launch, as the tracer wrote them.
struct KernelHeader {
  std::string name;
  std::uint64_t id = 0;
  Dim3 grid, block;
  Dim3 cluster = {};               // CTAs of a thread-block cluster; 1 where the header does not say
  std::uint32_t shared_bytes = 0;  // per CTA
  std::uint32_t registers_per_thread = 0;
  std::uint32_t binary_version = 0;  // 70 = sm_70
  std::uint64_t stream = 0;
  Address shared_base = 0, local_base = 0;  // windows of generic addresses; 0: none
  std::string tool_version;                 // of the instrumentation library; unused
  std::uint32_t tracer_version = 0;         // the layout of instruction lines; "1.2" reads as 1
  bool says_cluster = false;                // see cluster_of_text()
  bool line_numbers = false;                // a source line number leads each instruction line
};

/// Reads up to and including the `#traces format` line. Required: name, grid, block, shmem, nregs, binary version, tracer version. An
/// unknown key is a counted warning. Throws TraceError for a key that is missing, malformed, repeated or absurd.
KernelHeader read_kernel_header(LineSource& source, WarningLog& warnings);

/// Parses "x,y,z"; returns false where it is malformed.
bool parse_dim3(std::string_view text, Dim3& dim);

}  // namespace wharf::traces
