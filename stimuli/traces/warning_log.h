#pragma once
// Departures of a trace from its format that a run survives: each has a text, a count and its first position.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wharf::traces {

struct Warning {
  std::string text, first_place;  // first_place: `file:line`
  std::uint64_t count = 0;
  template <class File>
  void archive(File& file) {
    file(text, first_place, count);
  }
};

class WarningLog {
 public:
  using Id = std::uint32_t;

  /// The id of the warning `text`, created at its first occurrence at `file`:`line`; does not change the count. To bound the log for a
  /// garbage trace, all texts beyond kDistinct share one entry.
  Id id_of(std::string_view text, const std::string& file, std::uint64_t line);
  void count(Id id) {
    ++entries_[id].count;
    any_ = true;
  }
  void warn(std::string_view text, const std::string& file, std::uint64_t line) { count(id_of(text, file, line)); }

  /// Adds what another log has taken.
  void add(const std::vector<Warning>& taken);
  /// The warnings since the last drain(), in order of first appearance.
  std::vector<Warning> drain();

  /// Every warning with its count, in order of first appearance.
  std::vector<std::pair<std::string, std::uint64_t>> list() const;
  template <class File>
  void archive(File& file) {
    file(entries_, any_);
  }

 private:
  static constexpr std::size_t kDistinct = 64;
  Id id_of(std::string_view text, const std::string& place);
  std::vector<Warning> entries_;
  bool any_ = false;  // since the last drain()
};

}  // namespace wharf::traces
