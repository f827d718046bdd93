#include "stimuli/cuda/modules/lz4_block.h"

#include <algorithm>
#include <cstdint>

namespace wharf::cuda {
namespace {

constexpr std::size_t kShortestMatch = 4;
constexpr unsigned kLongNibble = 15;  // more bytes of the length follow

class Input {
 public:
  explicit Input(std::string_view bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  bool read_byte(unsigned& byte) {
    if (bytes_.empty()) return false;
    byte = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return true;
  }
  bool take(std::size_t size, std::string_view& taken) {
    if (size > bytes_.size()) return false;
    taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return true;
  }
  /// The length that begins with a nibble of the token; a byte of 255 says that another byte follows.
  bool read_length(unsigned nibble, std::size_t& length) {
    length = nibble;
    if (nibble != kLongNibble) return true;
    for (unsigned byte = 255; byte == 255; length += byte)
      if (!read_byte(byte)) return false;
    return true;
  }

 private:
  std::string_view bytes_;
};

}  // namespace

bool decode_lz4_block(std::string_view block, std::size_t size, std::string& out) {
  out.clear();
  out.reserve(std::min<std::size_t>(size, block.size() * 255));  // the format's best ratio
  Input input(block);
  while (!input.empty()) {
    unsigned token = 0, low = 0, high = 0;
    std::size_t literals = 0, match = 0;
    std::string_view copied;
    if (!input.read_byte(token) || !input.read_length(token >> 4, literals) || !input.take(literals, copied)) return false;
    if (copied.size() > size - out.size()) return false;
    out.append(copied);
    if (input.empty()) break;  // the last sequence is literals alone
    if (!input.read_byte(low) || !input.read_byte(high) || !input.read_length(token & 15, match)) return false;
    const std::size_t distance = low | high << 8;
    match += kShortestMatch;
    if (distance == 0 || distance > out.size() || match > size - out.size()) return false;
    // Byte by byte, because a match may overlap what it makes.
    for (std::size_t from = out.size() - distance; match > 0; --match) out.push_back(out[from++]);
  }
  return out.size() == size;
}

}  // namespace wharf::cuda
