#pragma once
// A kernel's trace file that is being written: text, or a container of the 2.0 tracer.

#include <memory>
#include <string>
#include <string_view>

#include "model/base/types.h"
#include "stimuli/traces/bytes/byte_sink.h"

namespace wharf::traces {

/// What trace files are written: text, plain or compressed, or containers (stimuli/traces/bytes/container_text.h).
enum class TraceForm { plain, xz, zstd, container };

/// The name of the file of kernel number `kernel`, from 1: "kernel-1.traceg.xz".
std::string kernel_file_name(unsigned kernel, TraceForm form);

class KernelFile {
 public:
  virtual ~KernelFile() = default;
  /// Begins the CTA at `place` of the grid; it is alone in its cluster.
  virtual void begin_cta(const Dim3& place) = 0;
  /// Begins a warp, which is the next of its CTA.
  virtual void begin_warp(unsigned warp, std::uint64_t instructions) = 0;
  /// `line`: an instruction, without a line end.
  virtual void write_line(std::string_view line) = 0;
  virtual void end_warp() = 0;
  virtual void end_cta() = 0;
  /// Without this call the file is truncated. Must be the last call, and made once.
  virtual void close() = 0;
};

/// Creates or replaces the file. `header`: the lines up to and including `#traces format`. All calls throw InputError for a file-system error.
std::unique_ptr<KernelFile> create_kernel_file(const std::string& path, TraceForm form, const std::string& header);

}  // namespace wharf::traces
