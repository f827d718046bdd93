#pragma once

namespace wharf {

/// The text of a std::bad_alloc, wherever it is reported.
inline constexpr const char* kOutOfMemory =
    "out of memory; make the machine or its stimulus smaller, or take a host with more memory or fewer runs at a time";

}  // namespace wharf
