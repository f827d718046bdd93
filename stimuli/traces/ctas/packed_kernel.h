#pragma once
// The packed form of a kernel's trace file: `kernel-1.traceg.xz.packed` beside kernel-1.traceg.xz. A run that finds it reads it in place of
// the text, and neither decompresses nor parses that.
//
// The file is a line that names the format and its version, then frames: four bytes with the frame's size, low byte first, then a zstd frame
// with a checksum. The first frame is the head, the others are steps (packed_records.h).

#include <cstdint>
#include <functional>
#include <string>

namespace wharf::traces {

/// The name of the packed form of a trace file.
std::string packed_name(const std::string& path);

/// True if the packed form of `path` exists, is complete, and belongs to the present contents of the file.
bool is_packed(const std::string& path);

/// Writes the packed form of `path`. `on_progress` receives the fraction of the file that has been read, and stops the work by returning
/// false; then, and on failure, no file is left. Returns false if it was stopped. Throws TraceError for a mistake in the trace, InputError
/// where the file cannot be written.
bool pack_kernel(const std::string& path, const std::function<bool(double)>& on_progress);

}  // namespace wharf::traces
