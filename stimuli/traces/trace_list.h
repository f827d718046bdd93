#pragma once
// The kernelslist.g of a trace: its kernel files, in order.

#include <cstdint>
#include <string>
#include <vector>

#include "stimuli/traces/bytes/line_source.h"
#include "stimuli/traces/trace_error.h"
#include "stimuli/traces/warning_log.h"

namespace wharf::traces {

struct ListedKernel {
  std::string path;
  std::uint64_t line = 0;  // in the list
};

struct TraceList {
  std::string path;  // the list, or the kernel file where there is no list
  std::vector<ListedKernel> kernels;
  std::vector<Warning> warnings;  // calls of the host program that were passed over
  std::size_t warm_up = 0;        // so many of them run first, and are not measured
};

/// The kernels of `path`: a kernelslist.g, a folder with one (or with a single kernelslist_ctx_*.g, that of a context), or a single kernel
/// file. Memory copies have no effect, other calls of the host program (cudaMalloc, nccl...) none but a warning. Throws TraceError for a line
/// that is neither a kernel, a call, a comment nor blank, or adds it to `mistakes` where that is given, and where the file is missing, lists
/// no kernel, or has not been through the tracer's post-processing. Does not check that the kernel files exist.
TraceList read_trace_list(const std::string& path, std::vector<TraceError>* mistakes = nullptr);

/// The same for the text of a list; `folder` holds its kernels.
TraceList parse_trace_list(const std::string& path, const std::string& folder, LineSource& source,
                           std::vector<TraceError>* mistakes = nullptr);

/// Throws TraceError, naming the list's line, where the file of `kernel` does not exist.
void require_file(const TraceList& list, const ListedKernel& kernel);

}  // namespace wharf::traces
