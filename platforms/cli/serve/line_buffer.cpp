#include "platforms/cli/serve/line_buffer.h"

#include <algorithm>
#include <utility>

namespace wharf::cli {

std::vector<Line> LineBuffer::add(std::string_view bytes, std::size_t longest) {
  std::vector<Line> lines;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    too_long_ = too_long_ || line_.size() + end > longest;
    if (too_long_) {
      line_.clear();
    } else {
      line_.append(bytes.substr(0, end));
    }
    if (end == bytes.size()) break;
    bytes.remove_prefix(end + 1);
    if (too_long_ || line_.find_first_not_of(" \t\r") != std::string::npos) lines.push_back({std::move(line_), too_long_});
    line_.clear();
    too_long_ = false;
  }
  return lines;
}

}  // namespace wharf::cli
