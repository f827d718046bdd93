#pragma once
// Single zstd frames in memory, which say how many bytes they hold.

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;
struct ZSTD_DDict_s;

namespace wharf::traces {

class FrameEncoder {
 public:
  /// `level`: of zstd, 1 (fast) to 19.
  explicit FrameEncoder(int level);
  /// The frame of `bytes`, with a checksum; valid until the next call. Throws InputError where zstd fails.
  std::string_view encode(std::string_view bytes);

 private:
  std::unique_ptr<ZSTD_CCtx_s, std::size_t (*)(ZSTD_CCtx_s*)> context_;
  std::vector<char> frame_;
};

class FrameDecoder {
 public:
  /// `dictionary`: that of all frames; empty for none. Throws DecodeFailure for one that zstd refuses.
  explicit FrameDecoder(std::string_view dictionary = {});
  /// The content of `frame`; valid until the next call. Takes no more memory than zstd can have compressed into a frame of that size, and at
  /// most 1 GB. Throws DecodeFailure.
  std::string_view decode(std::string_view frame);

 private:
  std::unique_ptr<ZSTD_DCtx_s, std::size_t (*)(ZSTD_DCtx_s*)> context_;
  std::unique_ptr<ZSTD_DDict_s, std::size_t (*)(ZSTD_DDict_s*)> dictionary_;
  std::vector<char> content_;
};

}  // namespace wharf::traces
