#pragma once
// Cuts a stream of bytes into lines.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wharf::cli {

inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;  // bytes, without the line feed

struct Line {
  std::string text;       // without the line feed
  bool too_long = false;  // the text is left out
};

class LineBuffer {
 public:
  /// The lines that `bytes` complete, without blank lines. Bytes of a line beyond `longest` are dropped.
  std::vector<Line> add(std::string_view bytes, std::size_t longest = kLongestLine);
  /// The rest as a line, at the end of the stream.
  std::vector<Line> finish() { return add("\n"); }

 private:
  std::string line_;
  bool too_long_ = false;
};

}  // namespace wharf::cli
