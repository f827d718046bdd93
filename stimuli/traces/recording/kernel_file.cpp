#include "stimuli/traces/recording/kernel_file.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "stimuli/traces/recording/container_file.h"

namespace wharf::traces {

namespace {

constexpr std::size_t kFlushBytes = 64 * 1024;

class TextFile final : public KernelFile {
 public:
  TextFile(std::unique_ptr<ByteSink> sink, const std::string& header) : sink_(std::move(sink)), text_(header + "\n") {}

  void begin_cta(const Dim3& place) override {
    fmt::format_to(std::back_inserter(text_), "#BEGIN_TB\n\nthread block = {},{},{}\n\n", place.x, place.y, place.z);
  }
  void begin_warp(unsigned warp, std::uint64_t instructions) override {
    fmt::format_to(std::back_inserter(text_), "warp = {}\ninsts = {}\n", warp, instructions);
  }
  void write_line(std::string_view line) override {
    text_ += line;
    text_ += '\n';
    flush_if_large();
  }
  void end_warp() override { text_ += '\n'; }
  void end_cta() override {
    text_ += "#END_TB\n\n";
    flush_if_large();
  }
  void close() override {
    sink_->write(text_);
    sink_->close();
  }

 private:
  void flush_if_large() {
    if (text_.size() < kFlushBytes) return;
    sink_->write(text_);
    text_.clear();
  }
  std::unique_ptr<ByteSink> sink_;
  std::string text_;
};

Compression compression_of(TraceForm form) {
  if (form == TraceForm::xz) return Compression::xz;
  return form == TraceForm::zstd ? Compression::zstd : Compression::none;
}

}  // namespace

std::string kernel_file_name(unsigned kernel, TraceForm form) {
  if (form == TraceForm::container) return fmt::format("kernel-{}.tracez", kernel);
  return fmt::format("kernel-{}.traceg{}", kernel, ending_of(compression_of(form)));
}

std::unique_ptr<KernelFile> create_kernel_file(const std::string& path, TraceForm form, const std::string& header) {
  std::unique_ptr<ByteSink> sink = create_file(path, compression_of(form));
  if (form == TraceForm::container) return std::make_unique<ContainerFile>(std::move(sink), header);
  return std::make_unique<TextFile>(std::move(sink), header);
}

}  // namespace wharf::traces
