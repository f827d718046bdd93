#pragma once
// The inputs of Mars's jobs (workloads sections 6.1, 6.2, 6.4 and 6.5): pages with links, log lines, word lists, prose. Blocks of a text
// start `stride` bytes apart and have `length` <= stride characters, followed by zeros; no word, line or link crosses a block's end.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wharf {

struct BlockShape {
  int blocks, stride, length;
  std::size_t bytes() const { return std::size_t(blocks) * std::size_t(stride); }
};

/// Lines of 20 to 90 characters with tags, and a link `<a href="..."` about every 520 characters.
std::vector<std::uint8_t> web_pages(const BlockShape& shape, std::uint64_t seed);
/// One word per line; one in twenty is `keyword`.
std::vector<std::uint8_t> word_list(const BlockShape& shape, const std::string& keyword, std::uint64_t seed);
/// Words in capitals, 35 % of them with six letters or more, from a vocabulary with some frequent words.
std::vector<std::uint8_t> prose(const BlockShape& shape, std::uint64_t seed);

inline constexpr int kLogLine = 50;  // characters, including the terminating zero
/// `count` times "http://www.abcdefg.com/<0-1023>.html TAB address TAB number".
std::vector<std::uint8_t> web_log(int count, std::uint64_t seed);

}  // namespace wharf
