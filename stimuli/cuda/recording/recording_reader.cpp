#include "stimuli/cuda/recording/recording_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "model/base/error.h"

namespace wharf::cuda {
namespace {

constexpr std::uint64_t kLongestHeader = 1 << 20;
// Memory is written for what the file really holds, not for what a damaged length names.
constexpr std::uint64_t kPiece = 1 << 20;

}  // namespace

RecordingReader::RecordingReader(const std::string& path) : path_(path) {
  try {
    bytes_ = traces::open_bytes(path);
  } catch (const traces::DecodeFailure& failure) {
    throw InputError(fmt::format("{}: {}; {}", path, failure.what(), failure.remedy()));
  }
  std::string magic, text;
  read(magic, kRecordingMagic.size());
  if (magic != kRecordingMagic)
    throw InputError(path + ": this is not a recording of a CUDA program; make one with `wharf cuda --record FILE`");
  read(text, sizeof(std::uint64_t));
  std::uint64_t length = 0;
  std::memcpy(&length, text.data(), sizeof length);
  if (length > kLongestHeader) damaged(fmt::format("its header names {} bytes", length));
  read(text, length);
  try {
    header_ = unpacked<RecordingHeader>(text);
  } catch (const DamagedRecord& damage) {
    damaged(damage.what());
  }
  if (header_.version != kRecordVersion)
    throw InputError(fmt::format("{}: this recording has version {}, and this Wharf reads {}; record the program again", path,
                                 header_.version, kRecordVersion));
}

bool RecordingReader::next(RecordKind& kind, std::string& body) {
  if (ended_) return false;
  ++number_;
  RecordHeader header;
  std::string text;
  read(text, sizeof header);
  std::memcpy(&header, text.data(), sizeof header);
  if (header.zero != 0 || header.body_bytes > kLongestRecord) damaged("its header is impossible");
  read(body, header.body_bytes);
  kind = header.kind;
  ended_ = kind == RecordKind::end;
  return !ended_;
}

void RecordingReader::damaged(const std::string& what) const {
  throw InputError(number_ == 0
                       ? fmt::format("{}: the recording is damaged: {}; copy it or record the program again", path_, what)
                       : fmt::format("{}: record {} is damaged: {}; copy the file or record the program again", path_, number_, what));
}

void RecordingReader::read(std::string& out, std::uint64_t size) {
  out.clear();
  out.reserve(size);  // of addresses only: what is not written takes no memory
  try {
    while (out.size() < size) {
      const std::size_t begin = out.size(), piece = std::min(size - begin, kPiece);
      out.resize(begin + piece);
      const std::size_t got = bytes_->read(out.data() + begin, piece);
      out.resize(begin + got);
      if (got == 0)
        throw InputError(fmt::format("{}: the recording ends before the program did; copy it or record the program again", path_));
    }
  } catch (const traces::DecodeFailure& failure) {
    throw InputError(fmt::format("{}: {}; {}", path_, failure.what(), failure.remedy()));
  }
}

}  // namespace wharf::cuda
