#include "stimuli/traces/bytes/container_text.h"

#include <algorithm>
#include <array>

#include "stimuli/traces/bytes/byte_source.h"

namespace wharf::traces {

namespace {

constexpr std::size_t kU32 = 4, kU64 = 8;
constexpr std::size_t kPiece = 4096;  // of the header, when its end is searched

}  // namespace

bool is_container(std::string_view head) {
  const std::size_t end = head.find('\0');
  const bool ends_a_line = end != std::string_view::npos && end != 0 && head[end - 1] == '\n';
  return ends_a_line && (head.front() == '-' || head.front() == '#' || head.front() == '\n');
}

ContainerText::ContainerText(RandomBytes& bytes)
    : bytes_(bytes), index_(read_index_offset()), cursor_(bytes_, index_, bytes_.size() - kU64) {
  read_header();
  ctas_left_ = cursor_.u32();
}

void ContainerText::fail(const std::string& what) const {
  const std::string place = cta_ == 0 ? "container: " : "container, CTA " + std::to_string(cta_) + " of the index: ";
  throw DecodeFailure(place + what);
}

std::uint64_t ContainerText::read_index_offset() {
  if (bytes_.size() < kU64) fail("the file ends before its index");
  char last[kU64];
  bytes_.read(bytes_.size() - kU64, last, kU64);
  const std::uint64_t offset = little_endian(last, kU64);
  if (offset > bytes_.size() - kU64)
    fail("its last 8 bytes give " + std::to_string(offset) + " as the offset of the index, in a file of " + std::to_string(bytes_.size()) +
         " bytes");
  return offset;
}

/// The next number of the data, which end where the index begins.
std::uint32_t ContainerText::read_u32() {
  char number[kU32];
  if (index_ - position_ < kU32) fail("the data end in a number at byte " + std::to_string(position_));
  bytes_.read(position_, number, kU32);
  position_ += kU32;
  return static_cast<std::uint32_t>(little_endian(number, kU32));
}

void ContainerText::read_header() {
  std::size_t end = std::string::npos;
  while (end == std::string::npos) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, index_ - header_.size()));
    if (piece == 0) fail("the header has no end before the index");
    const std::size_t begin = header_.size();
    header_.resize(begin + piece);
    bytes_.read(begin, header_.data() + begin, piece);
    end = header_.find('\0', begin);
  }
  header_.resize(end);
  position_ = end + 1;
  const std::uint32_t dictionary = read_u32();
  read_u32();  // the instructions that a subchunk was to have
  if (dictionary > index_ - position_) fail("a dictionary of " + std::to_string(dictionary) + " bytes goes beyond the data");
  std::vector<char> trained(dictionary);
  bytes_.read(position_, trained.data(), dictionary);
  position_ += dictionary;
  decoder_ = FrameDecoder({trained.data(), trained.size()});
  if (header_.find("#traces format") == std::string::npos) header_ += "#traces format\n";
  if (header_.find("-cluster dim") == std::string::npos) header_ = cluster_line() + header_;
}

/// The line of the text form that says how large the clusters are, by the index.
std::string ContainerText::cluster_line() {
  constexpr unsigned kTriples = 3;
  std::array<std::uint32_t, 3> size = {1, 1, 1};
  IndexCursor cursor(bytes_, index_, bytes_.size() - kU64);
  for (std::uint32_t ctas = cursor.u32(); ctas != 0; --ctas) {
    for (unsigned triple = 1; triple < kTriples; ++triple)
      for (unsigned i = 0; i < size.size(); ++i) cursor.u32();
    for (std::uint32_t& one : size) one = std::max(one, cursor.u32() + 1);
    cursor.u32();  // its rank
    for (std::uint32_t warps = cursor.u32(); warps != 0; --warps) {
      cursor.u32();  // instructions
      const std::uint32_t subchunks = cursor.u32();
      cursor.u64();  // offset
      for (std::uint32_t i = 0; i < subchunks; ++i) cursor.u32();
    }
  }
  return "-cluster dim = (" + std::to_string(size[0]) + "," + std::to_string(size[1]) + "," + std::to_string(size[2]) + ")\n";
}

bool ContainerText::next(std::string& text) {
  text.clear();
  if (!header_delivered_) {
    text.swap(header_);
    header_delivered_ = true;
  } else if (subchunks_left_ != 0) {
    read_subchunk(text);
  } else if (warp_ != warps_) {
    begin_warp(text);
  } else if (in_cta_) {
    in_cta_ = false;
    text = "\n#END_TB\n";
  } else if (ctas_left_ != 0) {
    begin_cta(text);
  } else {
    check_end();
    return false;
  }
  return true;
}

void ContainerText::begin_cta(std::string& text) {
  --ctas_left_;
  ++cta_;
  const auto triple = [&] {
    const std::string x = std::to_string(cursor_.u32()), y = std::to_string(cursor_.u32());
    return x + "," + y + "," + std::to_string(cursor_.u32());
  };
  text = "\n#BEGIN_TB\n\nthread block = " + triple();
  text += "\ncluster id = " + triple();
  text += "\ncluster cta = " + triple();
  text += "\ncluster rank = " + std::to_string(cursor_.u32()) + "\n";
  warps_ = cursor_.u32();
  warp_ = 0;
  in_cta_ = true;
}

void ContainerText::begin_warp(std::string& text) {
  instructions_left_ = cursor_.u32();
  const std::uint32_t subchunks = cursor_.u32();
  const std::uint64_t offset = cursor_.u64();
  const std::string name = "warp " + std::to_string(warp_);
  if (offset != position_)
    fail("the index has " + name + " at byte " + std::to_string(offset) + ", but the data before it end at byte " +
         std::to_string(position_));
  const std::uint32_t own_instructions = read_u32(), own_subchunks = read_u32();
  if (own_instructions != instructions_left_ || own_subchunks != subchunks)
    fail(name + " has " + std::to_string(own_instructions) + " instructions in " + std::to_string(own_subchunks) +
         " subchunks, but the index says " + std::to_string(instructions_left_) + " in " + std::to_string(subchunks));
  if (subchunks == 0 && instructions_left_ != 0) fail(name + " has instructions, but no subchunk");
  subchunks_left_ = subchunks;
  text = "\nwarp = " + std::to_string(warp_) + "\ninsts = " + std::to_string(instructions_left_) + "\n";
  ++warp_;
}

void ContainerText::read_subchunk(std::string& text) {
  const std::uint32_t instructions = cursor_.u32(), size = read_u32();
  if (size > index_ - position_)
    fail("a frame of " + std::to_string(size) + " bytes at byte " + std::to_string(position_) + " goes beyond the data");
  frame_.resize(size);
  bytes_.read(position_, frame_.data(), size);
  try {
    text = decoder_.decode({frame_.data(), size});
  } catch (const DecodeFailure& failure) {
    fail("the frame at byte " + std::to_string(position_) + " is corrupt (" + failure.what() + ")");
  }
  position_ += size;
  const auto lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')) + (text.empty() ? 0 : 1);
  const bool is_last = --subchunks_left_ == 0;
  const bool fits = is_last ? instructions == instructions_left_ : instructions <= instructions_left_;
  if (!fits) fail("the subchunks of warp " + std::to_string(warp_ - 1) + " do not have the instructions of the warp");
  if (lines != instructions)
    fail("a subchunk of warp " + std::to_string(warp_ - 1) + " has " + std::to_string(lines) + " lines, but the index says " +
         std::to_string(instructions));
  instructions_left_ -= instructions;
  if (!text.empty()) text += '\n';
}

void ContainerText::check_end() {
  if (cursor_.remaining() != 0) fail("the index is followed by " + std::to_string(cursor_.remaining()) + " bytes that it does not need");
  if (position_ != index_) fail(std::to_string(index_ - position_) + " bytes before the index belong to no warp");
  ended_ = true;
}

}  // namespace wharf::traces
