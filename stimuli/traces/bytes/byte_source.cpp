#include "stimuli/traces/bytes/byte_source.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "model/base/files/file_hash.h"
#include "stimuli/traces/bytes/container_text.h"

namespace wharf::traces {

namespace {

// A decompressor keeps as much of the text as the compressor was told to look back. It reserves that memory when a stream begins, and uses it
// as the text comes.
constexpr std::uint64_t kLargestXzMemory = (2ull << 30) + (64ull << 20);
constexpr int kLargestZstdWindowLog = 31;
constexpr const char* kCheckPath = "check the path and its permissions";
constexpr const char* kXzAgain = "compress it again with 'xz -9' or less";
constexpr const char* kZstdAgain = "compress it again without --long, or with --long=27 or less";

/// The file's raw bytes, read in chunks; the first bytes can be inspected.
class RawInput {
 public:
  explicit RawInput(const std::string& path) : buffer_(FileHash::kPiece) {
    std::error_code ignored;
    // Looked at first: to open a pipe waits for a writer.
    if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
      throw DecodeFailure("is not a regular file", kCheckPath);
    file_.reset(std::fopen(path.c_str(), "rb"));
    if (!file_) throw DecodeFailure(std::string("cannot be opened (") + std::strerror(errno) + ")", kCheckPath);
    size_ = std::filesystem::file_size(path, ignored);
  }
  explicit RawInput(std::string_view bytes) : memory_(bytes), all_(bytes), size_(bytes.size()) {}

  /// The bytes not consumed yet; reads the next chunk when there are none. Empty at the end.
  std::string_view window() {
    if (memory_.empty() && file_) {
      const std::size_t n = std::fread(buffer_.data(), 1, buffer_.size(), file_.get());
      if (n == 0 && std::ferror(file_.get())) throw DecodeFailure(std::string("read error (") + std::strerror(errno) + ")");
      memory_ = std::string_view(buffer_.data(), n);
      hash(memory_);
    }
    return memory_;
  }
  std::string fingerprint() {
    while (file_ && !hashed_all_) {
      consume(memory_.size());
      window();
    }
    if (!file_ && !hashed_all_) {
      for (std::size_t at = 0; !hashed_all_; at += FileHash::kPiece) hash(all_.substr(std::min(at, all_.size()), FileHash::kPiece));
    }
    return hash_.text();
  }
  void consume(std::size_t n) {
    memory_.remove_prefix(n);
    consumed_ += n;
  }
  std::uint64_t consumed() const { return consumed_; }
  std::uint64_t size() const { return size_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void hash(std::string_view piece) {
    if (hashed_all_) return;
    hash_.add(piece);
    hashed_all_ = piece.size() < FileHash::kPiece;
  }
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<char> buffer_;
  std::string_view memory_, all_;
  FileHash hash_;
  bool hashed_all_ = false;
  std::uint64_t consumed_ = 0, size_ = 0;
};

/// The base of the decoders. decode() reports how many bytes it produced and may then fail; the failure is kept for the next read, so that
/// lines before a defect are still delivered.
class Decoder : public ByteSource {
 public:
  explicit Decoder(RawInput input) : input_(std::move(input)) {}
  std::size_t read(char* out, std::size_t capacity) final {
    std::size_t made = 0;
    if (!failure_) {
      try {
        decode(out, capacity, made);
      } catch (const DecodeFailure& failure) {
        failure_ = failure;
      }
    }
    if (made == 0 && failure_) throw DecodeFailure(*failure_);
    return made;
  }
  std::uint64_t consumed() const override { return input_.consumed(); }
  std::uint64_t size() const final { return input_.size(); }
  std::string fingerprint() final { return input_.fingerprint(); }

 protected:
  /// Fills `out` until it is full or the stream ends; `made` is the number of bytes produced, and valid even when this throws.
  virtual void decode(char* out, std::size_t capacity, std::size_t& made) = 0;
  RawInput input_;

 private:
  std::optional<DecodeFailure> failure_;
};

class PlainDecoder final : public Decoder {
 public:
  using Decoder::Decoder;

 private:
  void decode(char* out, std::size_t capacity, std::size_t& made) override {
    const std::string_view in = input_.window();
    made = std::min(capacity, in.size());
    std::memcpy(out, in.data(), made);
    input_.consume(made);
  }
};

class GzipDecoder final : public Decoder {
 public:
  explicit GzipDecoder(RawInput input) : Decoder(std::move(input)) {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&stream_, kGzipOnly + MAX_WBITS) != Z_OK) throw DecodeFailure("the gzip decompressor cannot be started");
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

 private:
  void decode(char* out, std::size_t capacity, std::size_t& made) override {
    while (made < capacity) {
      const std::string_view in = input_.window();
      if (in.empty()) {
        if (!member_ended_) throw DecodeFailure("the gzip stream is truncated");
        return;
      }
      if (member_ended_) {  // another member follows
        inflateReset(&stream_);
        member_ended_ = false;
      }
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
      stream_.avail_in = static_cast<uInt>(in.size());
      stream_.next_out = reinterpret_cast<Bytef*>(out + made);
      stream_.avail_out = static_cast<uInt>(capacity - made);
      const int status = inflate(&stream_, Z_NO_FLUSH);
      input_.consume(in.size() - stream_.avail_in);
      made = capacity - stream_.avail_out;
      member_ended_ = status == Z_STREAM_END;
      if (status != Z_OK && status != Z_STREAM_END) throw DecodeFailure("the gzip stream is corrupt");
    }
  }
  z_stream stream_{};
  bool member_ended_ = false;
};

class XzDecoder final : public Decoder {
 public:
  explicit XzDecoder(RawInput input) : Decoder(std::move(input)) {
    if (lzma_stream_decoder(&stream_, kLargestXzMemory, LZMA_CONCATENATED) != LZMA_OK) {
      throw DecodeFailure("the xz decompressor cannot be started");
    }
  }
  ~XzDecoder() override { lzma_end(&stream_); }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;

 private:
  void decode(char* out, std::size_t capacity, std::size_t& made) override {
    while (made < capacity && !ended_) {
      const std::string_view in = input_.window();
      stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
      stream_.avail_in = in.size();
      stream_.next_out = reinterpret_cast<std::uint8_t*>(out + made);
      stream_.avail_out = capacity - made;
      const lzma_ret status = lzma_code(&stream_, in.empty() ? LZMA_FINISH : LZMA_RUN);
      input_.consume(in.size() - stream_.avail_in);
      made = capacity - stream_.avail_out;
      ended_ = status == LZMA_STREAM_END;
      if (status == LZMA_BUF_ERROR) throw DecodeFailure("the xz stream is truncated");
      if (status == LZMA_MEMLIMIT_ERROR || status == LZMA_MEM_ERROR) refuse_size();
      if (status != LZMA_OK && status != LZMA_STREAM_END) throw DecodeFailure("the xz stream is corrupt");
    }
  }
  [[noreturn]] void refuse_size() {
    throw DecodeFailure("the xz stream needs " + std::to_string(lzma_memusage(&stream_) >> 20) +
                            " MB of memory to decompress, more than there is or than 2,112 MB",
                        kXzAgain);
  }
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};

class ZstdDecoder final : public Decoder {
 public:
  explicit ZstdDecoder(RawInput input) : Decoder(std::move(input)), context_(ZSTD_createDCtx()) {
    if (!context_) throw DecodeFailure("the zstd decompressor cannot be started");
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kLargestZstdWindowLog);
  }

 private:
  void decode(char* out, std::size_t capacity, std::size_t& made) override {
    ZSTD_outBuffer target{out, capacity, 0};
    while (target.pos < capacity) {
      const std::string_view in = input_.window();
      ZSTD_inBuffer source{in.data(), in.size(), 0};
      if (in.empty() && !frame_open_) break;
      const std::size_t before = target.pos;
      const std::size_t status = ZSTD_decompressStream(context_.get(), &target, &source);
      input_.consume(source.pos);
      made = target.pos;
      if (ZSTD_isError(status)) fail(status);
      frame_open_ = status != 0;
      if (in.empty() && frame_open_ && target.pos == before) throw DecodeFailure("the zstd stream is truncated");
    }
  }
  [[noreturn]] static void fail(std::size_t status) {
    switch (ZSTD_getErrorCode(status)) {
      case ZSTD_error_frameParameter_windowTooLarge:
        throw DecodeFailure("the zstd stream has a window of more than 2 GB", kZstdAgain);
      case ZSTD_error_memory_allocation:
        throw DecodeFailure("the zstd stream has a window for which there is not enough memory", kZstdAgain);
      default:
        throw DecodeFailure(std::string("the zstd stream is corrupt (") + ZSTD_getErrorName(status) + ")");
    }
  }
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context_;
  bool frame_open_ = false;
};

/// The text form of a container.
class ContainerDecoder final : public Decoder {
 public:
  ContainerDecoder(RawInput input, RandomBytes bytes) : Decoder(std::move(input)), bytes_(std::move(bytes)) {}
  std::uint64_t consumed() const override { return container_ ? container_->consumed() : 0; }

 private:
  void decode(char* out, std::size_t capacity, std::size_t& made) override {
    if (!container_) container_.emplace(bytes_);
    while (at_ == text_.size()) {
      at_ = 0;
      if (!container_->next(text_)) return;
    }
    made = text_.copy(out, capacity, at_);
    at_ += made;
  }
  RandomBytes bytes_;
  std::optional<ContainerText> container_;
  std::string text_;
  std::size_t at_ = 0;
};

bool begins_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

/// `bytes`: what RawInput and RandomBytes open, a path or bytes in memory.
template <class Bytes>
std::unique_ptr<ByteSource> decoder_for(const Bytes& bytes) {
  using namespace std::string_view_literals;
  RawInput input(bytes);
  const std::string_view head = input.window();
  if (is_container(head)) return std::make_unique<ContainerDecoder>(std::move(input), RandomBytes(bytes));
  if (begins_with(head, "\x1f\x8b"sv)) return std::make_unique<GzipDecoder>(std::move(input));
  if (begins_with(head,
                  "\xFD"
                  "7zXZ\x00"sv))
    return std::make_unique<XzDecoder>(std::move(input));
  if (begins_with(head, "\x28\xB5\x2F\xFD"sv)) return std::make_unique<ZstdDecoder>(std::move(input));
  return std::make_unique<PlainDecoder>(std::move(input));
}

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path) { return decoder_for(path); }
std::unique_ptr<ByteSource> open_bytes_in_memory(std::string_view bytes) { return decoder_for(bytes); }

}  // namespace wharf::traces
