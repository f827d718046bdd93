#include "stimuli/inputs/web_text.h"

#include <algorithm>

#include "model/base/rng.h"

namespace wharf {
namespace {

std::string random_word(Rng& random, int letters, char first) {
  std::string word;
  for (int i = 0; i < letters; ++i) word += static_cast<char>(first + int(random.below(26)));
  return word;
}

/// A text of blocks that `piece` fills: it receives the number of characters left, and returns at most as many. Where it returns none, the
/// rest of the block is `filler`; the last character of a block is `last`.
template <class Piece>
std::vector<std::uint8_t> in_blocks(const BlockShape& shape, char filler, char last, Piece piece) {
  std::vector<std::uint8_t> text(shape.bytes());
  for (int b = 0; b < shape.blocks; ++b) {
    std::string block;
    while (int(block.size()) < shape.length - 1) {
      const std::string more = piece(shape.length - 1 - int(block.size()));
      if (more.empty()) break;
      block += more;
    }
    block.resize(std::size_t(shape.length - 1), filler);
    block += last;
    std::copy(block.begin(), block.end(), text.begin() + std::ptrdiff_t(b) * shape.stride);
  }
  return text;
}

}  // namespace

std::vector<std::uint8_t> web_pages(const BlockShape& shape, std::uint64_t seed) {
  Rng random(seed);
  int until_link = int(random.between(0, 520)), until_line_end = 60;
  return in_blocks(shape, ' ', '\n', [&](int room) {
    std::string piece;
    if (until_link <= 0) {
      piece = "<a href=\"" + random_word(random, 3, 'a') + "/" + random_word(random, int(random.between(4, 24)), 'a') + ".html\">";
      if (int(piece.size()) > room) return std::string();
      until_link += int(random.between(260, 780));
    } else if (until_line_end <= 0) {
      piece = "\n";
      until_line_end = int(random.between(20, 90));
    } else if (random.chance(0.15)) {
      piece = random.chance(0.5) ? "<b>" : "</b>";
    } else {
      piece = random_word(random, int(random.between(2, 9)), 'a') + " ";
    }
    if (int(piece.size()) > room) return std::string();
    until_link -= int(piece.size());
    until_line_end -= int(piece.size());
    return piece;
  });
}

std::vector<std::uint8_t> word_list(const BlockShape& shape, const std::string& keyword, std::uint64_t seed) {
  Rng random(seed);
  return in_blocks(shape, 'x', '\n', [&](int room) {
    const std::string word = random.chance(0.05) ? keyword : random_word(random, int(random.between(2, 12)), 'a');
    return int(word.size()) + 1 > room ? std::string() : word + "\n";
  });
}

std::vector<std::uint8_t> prose(const BlockShape& shape, std::uint64_t seed) {
  Rng random(seed);
  std::vector<std::string> vocabulary;
  for (int i = 0; i < 800; ++i) {
    const bool is_long = random.chance(0.35);
    vocabulary.push_back(random_word(random, int(is_long ? random.between(6, 15) : random.between(1, 5)), 'A'));
  }
  return in_blocks(shape, ' ', ' ', [&](int room) {
    const auto rank = std::size_t(random.unit() * random.unit() * double(vocabulary.size()));  // prefers the first words
    const std::string& word = vocabulary[rank];
    return int(word.size()) + 1 > room ? std::string() : word + " ";
  });
}

std::vector<std::uint8_t> web_log(int count, std::uint64_t seed) {
  Rng random(seed);
  std::vector<std::uint8_t> text;
  text.reserve(std::size_t(count) * kLogLine);
  for (int i = 0; i < count; ++i) {
    std::string line = "http://www.abcdefg.com/" + std::to_string(random.below(1024)) + ".html\t";
    line += std::to_string(random.between(100, 255)) + "." + std::to_string(random.between(10, 99)) + ".";
    line += std::to_string(random.between(10, 99)) + "." + std::to_string(random.between(100, 255)) + "\t";
    while (int(line.size()) < kLogLine - 1) line += static_cast<char>('1' + random.below(9));
    text.insert(text.end(), line.begin(), line.end());
    text.push_back(0);
  }
  return text;
}

}  // namespace wharf
