#pragma once
// Departures of a trace from its format that a run survives: one text each, with its count and its first place.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wharf::traces {

class WarningLog {
 public:
  using Id = std::uint32_t;

  /// The id of the warning `text`, made at its first appearance at `file`:`line`. Its count is not changed. A trace that is mostly
  /// garbage cannot grow the log: beyond kDistinct texts all further ones share one entry.
  Id id_of(std::string_view text, const std::string& file, std::uint64_t line);
  void count(Id id) { ++entries_[id].count; }
  void warn(std::string_view text, const std::string& file, std::uint64_t line) { count(id_of(text, file, line)); }

  /// Every warning with its count, in order of first appearance.
  std::vector<std::pair<std::string, std::uint64_t>> list() const;

 private:
  static constexpr std::size_t kDistinct = 64;
  struct Entry {
    std::string text, first_place;
    std::uint64_t count = 0;
  };
  std::vector<Entry> entries_;
};

}  // namespace wharf::traces
