#include "platforms/cli/runs/records/sqlite.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include "model/base/error.h"

namespace wharf::cli {
namespace {

constexpr int kPatienceMs = 60'000;

const char* remedy(int code) {
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return "move it away: finished runs are read again from the folder runs next to it";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process has locked it for a minute; end that process or choose another --out";
    case SQLITE_FULL:
      return "free disk space and repeat the command: finished runs are kept";
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_IOERR:
      return "choose a writable --out";
    default:
      return "it was made by another program; move it away or choose another --out";
  }
}

}  // namespace

Sqlite::Sqlite(const std::filesystem::path& file) : file_(file) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  try {
    if (sqlite3_open_v2(file.c_str(), &connection_, flags, nullptr) != SQLITE_OK) fail();
    sqlite3_extended_result_codes(connection_, 1);
    sqlite3_busy_timeout(connection_, kPatienceMs);
  } catch (...) {
    sqlite3_close(connection_);
    throw;
  }
}

Sqlite::~Sqlite() { sqlite3_close(connection_); }

void Sqlite::run(const std::string& sql) {
  if (sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

void Sqlite::fail() const {
  throw InputError(fmt::format("{}: {}; {}", file_.string(), sqlite3_errmsg(connection_), remedy(sqlite3_errcode(connection_))));
}

Statement::Statement(Sqlite& database, const std::string& sql) : database_(database) {
  check(sqlite3_prepare_v2(database.connection_, sql.c_str(), -1, &statement_, nullptr));
}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::check(int code) const {
  if (code != SQLITE_OK) database_.fail();
}

void Statement::bind(int parameter, std::string_view text) {
  check(sqlite3_bind_text64(statement_, parameter + 1, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}
void Statement::bind(int parameter, std::int64_t value) { check(sqlite3_bind_int64(statement_, parameter + 1, value)); }
void Statement::bind(int parameter, double value) { check(sqlite3_bind_double(statement_, parameter + 1, value)); }

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail();
  return code == SQLITE_ROW;
}

std::string Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::real(int column) const { return sqlite3_column_double(statement_, column); }

}  // namespace wharf::cli
