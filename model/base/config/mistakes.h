#pragma once
// What is wrong with the user's configuration, collected so that one run shows all of it.

#include <cstddef>
#include <string>
#include <vector>

namespace wharf::config {

/// Where something stands: a file with 1-based line and column (in bytes), or text without lines (`--set l1.ways=8`; line 0).
struct Position {
  std::string file;
  unsigned line = 0, column = 0;
};

/// "file:line:column", or the file alone where there is no line.
std::string to_string(const Position& position);

class Mistakes {
 public:
  void add(Position where, std::string what);
  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }

  /// Throws InputError with one line a mistake, in order of file, line and column; does nothing if there is none.
  void throw_if_any() const;

 private:
  struct Mistake {
    Position where;
    std::string what;
  };
  std::vector<Mistake> list_;
};

}  // namespace wharf::config
