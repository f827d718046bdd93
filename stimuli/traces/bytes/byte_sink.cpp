#include "stimuli/traces/bytes/byte_sink.h"

#include <lzma.h>
#include <zstd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "model/base/error.h"

namespace wharf::traces {

namespace {

constexpr std::size_t kOutputChunk = 64 * 1024;
// Prefers speed to size, because the packer must keep up with a simulation.
constexpr std::uint32_t kXzPreset = 1;
constexpr int kZstdLevel = 3;

class PlainFile {
 public:
  explicit PlainFile(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
    if (!file_) fail("cannot be created");
  }
  void write(const void* bytes, std::size_t size) {
    if (std::fwrite(bytes, 1, size, file_.get()) != size) fail("cannot be written");
  }
  void close() {
    if (std::fclose(file_.release()) != 0) fail("cannot be written");
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(path_ + ": " + what + " (" + std::strerror(errno) + "); check the folder, its permissions and the space left");
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

class PlainSink final : public ByteSink {
 public:
  explicit PlainSink(const std::string& path) : file_(path) {}
  void write(std::string_view bytes) override { file_.write(bytes.data(), bytes.size()); }
  void close() override { file_.close(); }

 private:
  PlainFile file_;
};

class XzSink final : public ByteSink {
 public:
  explicit XzSink(const std::string& path) : file_(path), buffer_(kOutputChunk) {
    if (lzma_easy_encoder(&stream_, kXzPreset, LZMA_CHECK_CRC64) != LZMA_OK) file_.fail("the xz compressor cannot be started");
  }
  ~XzSink() override { lzma_end(&stream_); }
  XzSink(const XzSink&) = delete;
  XzSink& operator=(const XzSink&) = delete;

  void write(std::string_view bytes) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    stream_.avail_in = bytes.size();
    while (stream_.avail_in != 0) step(LZMA_RUN);
  }
  void close() override {
    stream_.avail_in = 0;
    while (step(LZMA_FINISH) != LZMA_STREAM_END) {
    }
    file_.close();
  }

 private:
  lzma_ret step(lzma_action action) {
    stream_.next_out = buffer_.data();
    stream_.avail_out = buffer_.size();
    const lzma_ret status = lzma_code(&stream_, action);
    if (status != LZMA_OK && status != LZMA_STREAM_END) file_.fail("the xz compressor failed");
    file_.write(buffer_.data(), buffer_.size() - stream_.avail_out);
    return status;
  }
  PlainFile file_;
  std::vector<std::uint8_t> buffer_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class ZstdSink final : public ByteSink {
 public:
  explicit ZstdSink(const std::string& path) : file_(path), buffer_(kOutputChunk), context_(ZSTD_createCCtx()) {
    if (!context_) file_.fail("the zstd compressor cannot be started");
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kZstdLevel);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }
  void write(std::string_view bytes) override {
    ZSTD_inBuffer source{bytes.data(), bytes.size(), 0};
    while (source.pos < source.size) step(source, ZSTD_e_continue);
  }
  void close() override {
    ZSTD_inBuffer source{nullptr, 0, 0};
    while (step(source, ZSTD_e_end) != 0) {
    }
    file_.close();
  }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  std::size_t step(ZSTD_inBuffer& source, ZSTD_EndDirective directive) {
    ZSTD_outBuffer target{buffer_.data(), buffer_.size(), 0};
    const std::size_t left = ZSTD_compressStream2(context_.get(), &target, &source, directive);
    if (ZSTD_isError(left)) file_.fail("the zstd compressor failed");
    file_.write(buffer_.data(), target.pos);
    return left;
  }
  PlainFile file_;
  std::vector<char> buffer_;
  std::unique_ptr<ZSTD_CCtx, Free> context_;
};

}  // namespace

std::string_view ending_of(Compression compression) {
  switch (compression) {
    case Compression::none:
      break;
    case Compression::xz:
      return ".xz";
    case Compression::zstd:
      return ".zst";
  }
  return "";
}

std::unique_ptr<ByteSink> create_file(const std::string& path, Compression compression) {
  switch (compression) {
    case Compression::none:
      break;
    case Compression::xz:
      return std::make_unique<XzSink>(path);
    case Compression::zstd:
      return std::make_unique<ZstdSink>(path);
  }
  return std::make_unique<PlainSink>(path);
}

}  // namespace wharf::traces
