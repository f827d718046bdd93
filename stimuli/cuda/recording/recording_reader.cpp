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
  // To the end at first, because the checksum lies there: without it a flipped bit is reported as what it makes of a record.
  open();
  std::string body;
  while (read_some(body)) {
  }
  open();
  read_header();
  for (RecordKind kind; next(kind, body);) {
  }
  if (read_some(body))
    throw InputError(
        fmt::format("{}: {} bytes or more follow the end of the recording; copy it or record the program again", path_, body.size()));
  open();
  read_header();
}

void RecordingReader::open() {
  try {
    bytes_ = traces::open_bytes(path_);
  } catch (const traces::DecodeFailure& failure) {
    fail(failure);
  }
  ended_ = false;
  number_ = 0;
}

void RecordingReader::read_header() {
  std::string text;
  read(text, kRecordingMagic.size());
  if (text != kRecordingMagic)
    throw InputError(path_ + ": this is not a recording of a CUDA program; make one with `wharf cuda --record FILE`");
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
    throw InputError(fmt::format("{}: this recording has version {}, and this Wharf reads {}; record the program again", path_,
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

void RecordingReader::fail(const traces::DecodeFailure& failure) const {
  throw InputError(fmt::format("{}: {}; {}", path_, failure.what(), failure.remedy()));
}

/// Appends at most `limit` bytes, at least one where any are left; returns false at the end.
bool RecordingReader::append(std::string& out, std::uint64_t limit) {
  const std::size_t begin = out.size(), piece = std::min(limit, kPiece);
  out.resize(begin + piece);
  try {
    const std::size_t got = bytes_->read(out.data() + begin, piece);
    out.resize(begin + got);
    return got != 0;
  } catch (const traces::DecodeFailure& failure) {
    fail(failure);
  }
}

bool RecordingReader::read_some(std::string& out) {
  out.clear();
  return append(out, kPiece);
}

void RecordingReader::read(std::string& out, std::uint64_t size) {
  out.clear();
  out.reserve(size);  // of addresses only: what is not written takes no memory
  while (out.size() < size)
    if (!append(out, size - out.size()))
      throw InputError(fmt::format("{}: the recording ends before the program did; copy it or record the program again", path_));
}

}  // namespace wharf::cuda
