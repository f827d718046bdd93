#pragma once
// Reads bytes as a packed trace, to the end or to the first input error. The fuzzer and the unit test that replays its corpus share it.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "model/base/error.h"
#include "stimuli/traces/ctas/packed_kernel.h"
#include "stimuli/traces/ctas/packed_records.h"

namespace wharf::traces {

/// Decodes every warp of a CTA; a damaged warp ends early.
inline void decode(const std::shared_ptr<CodeTable>& code, CtaStep& step) {
  code->append(step.code);
  for (PackedWarp& warp : step.cta.warps) {
    PackedStream stream(code, std::move(warp));
    try {
      for (; stream.peek() != nullptr; stream.advance()) {
      }
    } catch (const InputError&) {
    }
  }
}

/// The bytes are the contents of a file's frames. Returns false if an input error ended it; any other exception is a finding.
inline bool probe_packed_records(std::string_view bytes) {
  PackedBytes records(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  try {
    const PackedHead head = read_head(records);
    const auto code = std::make_shared<CodeTable>();
    for (CtaStep step; read_step(records, head.launch, "kernel", step);) decode(code, step);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// The bytes are a file. Its trace file counts as absent: no bytes and no time.
inline bool probe_packed_file(std::string_view bytes) {
  const std::string kernel = (std::filesystem::temp_directory_path() / ("wharf_fuzz_" + std::to_string(getpid()))).string();
  std::ofstream out(packed_name(kernel), std::ios::binary | std::ios::trunc);
  if (!out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) std::abort();
  bool whole = false;
  try {
    const std::unique_ptr<KernelSource> source = open_kernel(kernel);
    const auto code = std::make_shared<CodeTable>();
    for (CtaStep step; source->next(step);) decode(code, step);
    whole = true;
  } catch (const InputError&) {
  }
  std::filesystem::remove(packed_name(kernel));
  return whole;
}

/// Bytes with the header of a packed trace are read as a file. Other bytes are its records, which the fuzzer could not reach through
/// checksums.
inline bool probe_packed(std::string_view bytes) {
  return bytes.substr(0, 5) == "wharf" ? probe_packed_file(bytes) : probe_packed_records(bytes);
}

}  // namespace wharf::traces
