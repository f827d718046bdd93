#pragma once
// The mistakes in the user's configuration, collected so that one run reports all of them.

#include <cstddef>
#include <string>
#include <vector>

namespace wharf::config {

/// A position: a file with 1-based line and column (in bytes), or a text without lines (`--set l1.ways=8`; line 0).
struct Position {
  std::string file;
  unsigned line = 0, column = 0;
};

/// "file:line:column", or the file alone if the position has no line.
std::string to_string(const Position& position);

class Mistakes {
 public:
  void add(Position where, std::string what);
  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }

  /// Throws InputError with one mistake per line, in order of file, line and column; returns if there are none.
  void throw_if_any() const;

 private:
  struct Mistake {
    Position where;
    std::string what;
  };
  std::vector<Mistake> list_;
};

}  // namespace wharf::config
