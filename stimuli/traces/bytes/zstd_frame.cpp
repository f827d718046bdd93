#include "stimuli/traces/bytes/zstd_frame.h"

#include <zstd.h>

#include <algorithm>
#include <string>

#include "model/base/error.h"
#include "stimuli/traces/bytes/byte_source.h"

namespace wharf::traces {

namespace {

constexpr std::size_t kLargestContent = 1u << 30;
constexpr std::size_t kLargestRatio = 32 * 1024;  // of zstd: a block of 128 KiB takes four bytes

}  // namespace

FrameEncoder::FrameEncoder(int level) : context_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
}

std::string_view FrameEncoder::encode(std::string_view bytes) {
  frame_.resize(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress2(context_.get(), frame_.data(), frame_.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size)) throw InputError(std::string("the zstd compressor failed: ") + ZSTD_getErrorName(size));
  return {frame_.data(), size};
}

FrameDecoder::FrameDecoder(std::string_view dictionary)
    : context_(ZSTD_createDCtx(), ZSTD_freeDCtx),
      dictionary_(dictionary.empty() ? nullptr : ZSTD_createDDict(dictionary.data(), dictionary.size()), ZSTD_freeDDict) {
  if (!dictionary.empty() && !dictionary_) throw DecodeFailure("the zstd dictionary is corrupt");
}

std::string_view FrameDecoder::decode(std::string_view frame) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  // The values for an unknown size and for a damaged frame are the largest of all.
  if (size > std::min(kLargestContent, frame.size() * kLargestRatio)) throw DecodeFailure("a frame has no size");
  content_.resize(size);
  const std::size_t made = dictionary_ ? ZSTD_decompress_usingDDict(context_.get(), content_.data(), content_.size(), frame.data(),
                                                                    frame.size(), dictionary_.get())
                                       : ZSTD_decompressDCtx(context_.get(), content_.data(), content_.size(), frame.data(), frame.size());
  if (ZSTD_isError(made)) throw DecodeFailure(ZSTD_getErrorName(made));
  return {content_.data(), made};
}

}  // namespace wharf::traces
