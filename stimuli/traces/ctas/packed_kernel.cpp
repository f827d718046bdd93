#include "stimuli/traces/ctas/packed_kernel.h"

#include <sys/stat.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include "stimuli/traces/bytes/byte_sink.h"
#include "stimuli/traces/bytes/zstd_frame.h"
#include "stimuli/traces/ctas/packed_records.h"
#include "stimuli/traces/trace_error.h"

namespace wharf::traces {

namespace fs = std::filesystem;

namespace {

// The number changes with every change of the format, and of what the text means.
constexpr std::string_view kFirstLine = "wharf packed trace 9\n";
constexpr std::size_t kFrameBytes = 64 * 1024;  // steps are collected up to it
constexpr int kLevel = 1;
constexpr const char* kPackAgain = "delete it, or run 'wharf trace pack' again";

struct FileState {
  std::uint64_t bytes = 0, time = 0;
};

FileState state_of(const std::string& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) return {};
  return {static_cast<std::uint64_t>(found.st_size),
          static_cast<std::uint64_t>(found.st_mtim.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(found.st_mtim.tv_nsec)};
}

class FrameWriter {
 public:
  explicit FrameWriter(ByteSink& sink) : sink_(sink) {}
  void write(const std::vector<std::uint8_t>& bytes) {
    const std::string_view frame = encoder_.encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    std::array<char, 4> length;
    for (unsigned i = 0; i < length.size(); ++i) length[i] = static_cast<char>(frame.size() >> 8 * i);
    sink_.write({length.data(), length.size()});
    sink_.write(frame);
  }

 private:
  ByteSink& sink_;
  FrameEncoder encoder_{kLevel};
};

class PackedKernel final : public KernelSource {
 public:
  explicit PackedKernel(std::string path) : path_(std::move(path)), name_(packed_name(path_)), file_(name_, std::ios::binary) {
    std::string line(kFirstLine.size(), '\0');
    file_.read(line.data(), static_cast<std::streamsize>(line.size()));
    same_version_ = file_.good() && line == kFirstLine;
    if (!same_version_) return;
    read_frame();
    checked([&] { head_ = read_head(bytes_); });
  }
  bool same_version() const { return same_version_; }

  /// True where the packed file is this one. A file that was copied or touched has another time, and is known by its contents.
  bool belongs() {
    const FileState now = state_of(path_);
    if (now.bytes != head_.source_bytes) return false;
    return now.time == head_.source_time || open_bytes(path_)->fingerprint() == head_.source_fingerprint;
  }

  const KernelLaunch& launch() const override { return head_.launch; }
  bool next(CtaStep& step) override {
    if (bytes_.at_end()) read_frame();
    bool more = false;
    checked([&] { more = read_step(bytes_, head_.launch, path_, step); });
    return more;
  }
  std::string fingerprint() override { return head_.source_fingerprint; }

 private:
  [[noreturn]] void damaged(const std::string& how) const { throw TraceError(name_, 0, "the packed trace is damaged: " + how, kPackAgain); }
  template <class Take>
  void checked(Take take) {
    try {
      take();
    } catch (const TraceError&) {
      throw;
    } catch (const InputError&) {
      damaged("its records are not complete");
    }
  }
  /// Bytes of the file that have not been read.
  std::size_t left() {
    const std::streamoff at = file_.tellg();
    const std::streamoff end = file_.seekg(0, std::ios::end).tellg();
    file_.seekg(at);
    return static_cast<std::size_t>(end - at);
  }
  void read_frame() {
    std::array<char, 4> length{};
    if (!file_.read(length.data(), length.size())) damaged("it ends too early");
    std::size_t size = 0;
    for (unsigned i = 0; i < length.size(); ++i) size |= std::size_t{static_cast<unsigned char>(length[i])} << 8 * i;
    // A damaged size must not cost the memory that it names.
    if (size > left()) damaged("it ends too early");
    frame_.resize(size);
    if (!file_.read(frame_.data(), static_cast<std::streamsize>(size))) damaged("it ends too early");
    try {
      const std::string_view content = decoder_.decode({frame_.data(), size});
      bytes_ = PackedBytes(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
    } catch (const DecodeFailure& failure) {
      damaged(failure.what());
    }
  }

  std::string path_, name_;
  std::ifstream file_;
  bool same_version_ = false;
  PackedHead head_;
  std::vector<char> frame_;
  FrameDecoder decoder_;
  PackedBytes bytes_{nullptr, 0};
};

/// The text in place of a packed form that cannot be used, with a warning.
class UnpackedKernel final : public KernelSource {
 public:
  UnpackedKernel(const std::string& path, const std::string& why) : text_(path), why_{why, packed_name(path) + ":1", 1} {}
  const KernelLaunch& launch() const override { return text_.launch(); }
  bool next(CtaStep& step) override {
    const bool more = text_.next(step);
    if (why_.count != 0) step.warnings.insert(step.warnings.begin(), why_);
    why_.count = 0;
    return more;
  }
  std::string fingerprint() override { return text_.fingerprint(); }

 private:
  TextKernel text_;
  Warning why_;
};

void write_packed(const std::string& path, ByteSink& sink, const std::function<bool(double)>& on_progress, bool& ended) {
  TextKernel text(path);
  PackedHead head;
  const FileState state = state_of(path);
  head.source_bytes = state.bytes;
  head.source_time = state.time;
  head.source_fingerprint = open_bytes(path)->fingerprint();
  head.launch = text.launch();
  sink.write(kFirstLine);
  FrameWriter frames(sink);
  std::vector<std::uint8_t> bytes;
  append_head(bytes, head);
  frames.write(bytes);
  bytes.clear();
  CtaStep step;
  for (bool more = true; more && !ended;) {
    more = text.next(step);
    append_step(bytes, step, more);
    if (more && bytes.size() < kFrameBytes) continue;
    frames.write(bytes);
    bytes.clear();
    ended = !on_progress(static_cast<double>(step.consumed) / static_cast<double>(text.total_bytes()));
  }
  sink.close();
}

}  // namespace

std::string packed_name(const std::string& path) { return path + ".packed"; }

bool is_packed(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(packed_name(path), ignored)) return false;
  try {
    PackedKernel packed(path);
    if (!packed.same_version() || !packed.belongs()) return false;
    for (CtaStep step; packed.next(step);) {
    }
    return true;
  } catch (const TraceError&) {
    return false;
  }
}

bool pack_kernel(const std::string& path, const std::function<bool(double)>& on_progress) {
  const std::string part = packed_name(path) + ".part";
  bool ended = false;
  std::error_code error;
  try {
    write_packed(path, *create_file(part, Compression::none), on_progress, ended);
  } catch (...) {
    fs::remove(part, error);
    throw;
  }
  if (ended) {
    fs::remove(part, error);
    return false;
  }
  fs::rename(part, packed_name(path), error);
  if (error) throw InputError(packed_name(path) + ": cannot be written: " + error.message() + "; check the folder and its permissions");
  return true;
}

std::unique_ptr<KernelSource> open_kernel(const std::string& path, UnknownOpcodes unknown) {
  std::error_code ignored;
  // A packed form does not know which of its instructions had unknown opcodes.
  if (unknown == UnknownOpcodes::refused || !fs::is_regular_file(packed_name(path), ignored))
    return std::make_unique<TextKernel>(path, unknown);
  auto packed = std::make_unique<PackedKernel>(path);
  if (!packed->same_version()) {
    return std::make_unique<UnpackedKernel>(path, "a packed trace of another version of Wharf is ignored; run 'wharf trace pack' again");
  }
  if (!packed->belongs()) {
    return std::make_unique<UnpackedKernel>(
        path, "a packed trace of other contents than its trace file is ignored; run 'wharf trace pack' again");
  }
  return packed;
}

}  // namespace wharf::traces
