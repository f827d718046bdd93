#pragma once
// SQLite with destructors and exceptions, as far as the database of runs needs it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace wharf::cli {

/// One connection. Every error is an InputError that names the file, SQLite's message and the remedy.
class Sqlite {
 public:
  /// Opens or creates the file. A statement waits up to a minute for another process.
  explicit Sqlite(const std::filesystem::path& file);
  ~Sqlite();
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;

  /// Runs statements without parameters, and ignores their results.
  void run(const std::string& sql);

  [[noreturn]] void fail() const;

 private:
  friend class Statement;
  std::filesystem::path file_;
  sqlite3* connection_ = nullptr;
};

/// One prepared statement. Parameters and columns count from 0.
class Statement {
 public:
  Statement(Sqlite& database, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void bind(int parameter, std::string_view text);
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);

  /// Returns true where there is a row to read.
  bool step();
  std::string text(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;

 private:
  void check(int code) const;

  Sqlite& database_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace wharf::cli
