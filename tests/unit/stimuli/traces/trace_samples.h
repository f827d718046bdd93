#pragma once
// Small traces for the tests, as text and as files in a temporary folder.

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "stimuli/traces/kernel_reader.h"
#include "stimuli/traces/trace_error.h"
#include "stimuli/traces/trace_reader.h"

namespace wharf::traces {

/// A temporary folder, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "wharf_trace_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return *this / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("the sample has no '" + from + "'");
  return text.replace(at, from.size(), to);
}

/// Thirteen key lines, a blank line and the format line. The body begins at line 16.
inline std::string header(const std::string& grid = "(1,1,1)", const std::string& block = "(32,1,1)", const std::string& version = "5") {
  return "-kernel name = sample\n-kernel id = 1\n-grid dim = " + grid + "\n-block dim = " + block +
         "\n-shmem = 512\n-nregs = 24\n-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n"
         "-local mem base_addr = 0x00007f0800000000\n-nvbit version = 1.5.5\n-accelsim tracer version = " +
         version + "\n-enable lineinfo = 0\n\n#traces format = ...\n";
}

inline std::string warp(unsigned id, const std::vector<std::string>& lines) {
  std::string text = "warp = " + std::to_string(id) + "\ninsts = " + std::to_string(lines.size()) + "\n";
  for (const std::string& line : lines) text += line + "\n";
  return text + "\n";
}

inline std::string cta(const std::string& place, const std::string& warps) {
  return "#BEGIN_TB\n\nthread block = " + place + "\n\n" + warps + "#END_TB\n\n";
}

inline const std::string kMov = "0000 ffffffff 1 R1 MOV 0 0 0";
inline const std::string kExit = "0010 ffffffff 0 EXIT 0 0 0";

/// One CTA of one warp with these instruction lines; the first is line kFirstInstructionLine.
inline std::string one_warp(const std::vector<std::string>& lines, const std::string& version = "5") {
  return header("(1,1,1)", "(32,1,1)", version) + cta("0,0,0", warp(0, lines));
}
inline constexpr std::uint64_t kFirstInstructionLine = 22;

/// All instructions of a stream.
inline std::vector<WarpInstruction> drain(WarpStream& stream) {
  std::vector<WarpInstruction> out;
  for (const WarpInstruction* next = stream.peek(); next != nullptr; next = stream.peek()) {
    out.push_back(*next);
    stream.advance();
  }
  return out;
}

/// The instructions of the only warp of `text`, and the counts of the reader.
struct ReadWarp {
  std::vector<WarpInstruction> instructions;
  std::vector<std::pair<std::string, std::uint64_t>> warnings;
};
inline ReadWarp read_warp(const std::string& text) {
  WarningLog log;
  KernelReader kernel(LineSource::from_memory("kernel-1.traceg", text), log);
  TracedCta traced;
  kernel.next_cta(traced);
  PackedStream stream(kernel.code(), std::move(traced.warps.at(0)));
  ReadWarp out{drain(stream), log.list()};
  return out;
}
inline WarpInstruction read_instruction(const std::string& line, const std::string& version = "5") {
  return read_warp(one_warp({line}, version)).instructions.at(0);
}

/// The mistake at which reading all of `text` stops.
inline TraceError mistake_in(const std::string& text) {
  WarningLog log;
  try {
    KernelReader kernel(LineSource::from_memory("kernel-1.traceg", text), log);
    for (TracedCta traced; kernel.next_cta(traced);) {
    }
  } catch (const TraceError& error) {
    return error;
  }
  throw std::runtime_error("no mistake was found");
}

}  // namespace wharf::traces
