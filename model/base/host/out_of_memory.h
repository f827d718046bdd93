#pragma once
// How a failed allocation of host memory is reported.

namespace wharf {

/// The text of a std::bad_alloc, wherever it is reported.
inline constexpr const char* kOutOfMemory =
    "out of memory; make the machine or its stimulus smaller, or take a host with more memory or fewer runs at a time";

}  // namespace wharf
