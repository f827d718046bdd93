#include "platforms/cli/runs/records/run_database.h"

#include <fmt/core.h>

#include <utility>

#include "model/base/error.h"
#include "model/base/hash.h"
#include "platforms/cli/processes/folder_lock.h"
#include "platforms/cli/version.h"

namespace wharf::cli {
namespace {

constexpr int kSchema = 2;  // PRAGMA user_version

/// Metrics with a column of their own; all others are in `result`: json_extract(result, '$.run."l2.merged"').
constexpr std::pair<const char*, const char*> kMetricColumns[] = {{"cycles", "cycles"},
                                                                  {"time_ns", "time_ns"},
                                                                  {"thread_instructions", "thread_instructions"},
                                                                  {"warp_instructions", "warp_instructions"},
                                                                  {"ipc", "ipc"},
                                                                  {"l1_miss_rate", "l1.miss_rate"},
                                                                  {"inter_core_locality", "inter_core_locality"},
                                                                  {"l2_sector_accesses", "l2.sectors.accesses"},
                                                                  {"l2_sector_misses", "l2.sectors.misses"},
                                                                  {"dram_sector_reads", "dram.sectors.reads"},
                                                                  {"dram_sector_writes", "dram.sectors.writes"}};

std::string create_table() {
  std::string sql =
      "CREATE TABLE IF NOT EXISTS runs (key TEXT PRIMARY KEY, config TEXT, overrides TEXT, stimulus TEXT, seed INTEGER, status TEXT,"
      " failure TEXT, commit_id TEXT, program TEXT, config_hash TEXT, finished TEXT, wall_s REAL, result TEXT";
  for (const auto& [column, metric] : kMetricColumns) sql += fmt::format(", {} NUMERIC", column);
  return sql + ")";
}

std::string insert_row() {
  std::string columns =
      "key, config, overrides, stimulus, seed, status, failure, commit_id, program, config_hash, wall_s, result, finished";
  std::string values = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, datetime('now')";
  for (const auto& [column, metric] : kMetricColumns) {
    columns += fmt::format(", {}", column);
    values += ", ?";
  }
  return fmt::format("INSERT OR IGNORE INTO runs ({}) VALUES ({})", columns, values);
}

void bind_number(Statement& statement, int parameter, const Json& number) {
  if (number.is_number_integer()) {
    statement.bind(parameter, number.get<std::int64_t>());
  } else if (number.is_number()) {
    statement.bind(parameter, number.get<double>());
  }
}

std::filesystem::path file_in(const std::filesystem::path& folder) {
  const FolderLock made(folder);
  return folder / "runs.sqlite";
}

}  // namespace

std::string RunIdentity::key() const {
  Json parts = inputs;  // without alternative names of the same contents
  for (const char* name : {"config", "set", "version", "plugins"}) parts.erase(name);
  if (parts.contains("trace_hash")) parts.erase("stimulus");
  parts["program"] = program;
  return hash_text(parts.dump());
}

RunDatabase::RunDatabase(const std::filesystem::path& folder) : sqlite_(file_in(folder)) {
  const FolderLock making(folder, FolderLock::Wait::yes);  // while it switches to WAL, SQLite does not wait for other processes
  const auto version = [&] {
    Statement statement(sqlite_, "PRAGMA user_version");
    statement.step();
    return statement.integer(0);
  };
  if (version() == 0) {
    sqlite_.run("PRAGMA journal_mode = WAL");
    sqlite_.run(create_table());
    sqlite_.run(fmt::format("PRAGMA user_version = {}", kSchema));
  }
  if (version() != kSchema) {
    throw InputError(fmt::format("{}: was written by another version of Wharf; move it away or choose another --out",
                                 (folder / "runs.sqlite").string()));
  }
  sqlite_.run("PRAGMA synchronous = NORMAL");
}

std::optional<Json> RunDatabase::find(const std::string& key) {
  Statement statement(sqlite_, "SELECT result FROM runs WHERE key = ? AND status = 'done'");
  statement.bind(0, key);
  if (!statement.step()) return std::nullopt;
  Json result = Json::parse(statement.text(0), nullptr, /*allow_exceptions=*/false);
  if (result.is_object() && result.contains("run")) return result;
  Statement forget(sqlite_, "DELETE FROM runs WHERE key = ?");  // a foreign program has modified the record
  forget.bind(0, key);
  forget.step();
  return std::nullopt;
}

Json RunDatabase::add_done(const RunIdentity& run, Json result) {
  result.erase("windows");
  add(run, "", result);
  return result;
}

void RunDatabase::add_times_to(RunTimes& times) {
  Statement row(sqlite_, "SELECT config, overrides, stimulus, wall_s FROM runs WHERE status = 'done' AND wall_s > 0 ORDER BY finished");
  while (row.step()) {
    std::string config = row.text(0);
    const Json settings = Json::parse(row.text(1), nullptr, /*allow_exceptions=*/false);
    for (const Json& setting : settings)
      if (setting.is_string()) config += ',' + setting.get<std::string>();
    times.add(config, row.text(2), row.real(3));
  }
}

void RunDatabase::add_failed(const RunIdentity& run, const std::string& failure) { add(run, failure, Json()); }

void RunDatabase::add(const RunIdentity& run, const std::string& failure, const Json& result) {
  const std::string key = run.key();
  // A finished record stays, even if another process writes it between the two statements: both are equal.
  Statement forget(sqlite_, "DELETE FROM runs WHERE key = ? AND status <> 'done'");
  forget.bind(0, key);
  forget.step();
  Statement row(sqlite_, insert_row());
  int next = 0;
  for (const std::string& text : {key, run.spec.config, Json(run.spec.overrides).dump(), run.spec.stimulus}) row.bind(next++, text);
  row.bind(next++, static_cast<std::int64_t>(run.spec.seed));
  for (const std::string& text : {std::string(result.is_null() ? "failed" : "done"), failure, std::string(commit_id()), run.program,
                                  run.inputs["config_hash"].get<std::string>()}) {
    row.bind(next++, text);
  }
  if (!result.is_null()) {
    bind_number(row, next, result["host"]["wall_s"]);
    row.bind(next + 1, result.dump());
    next += 2;
    for (const auto& [column, metric] : kMetricColumns) bind_number(row, next++, result["run"].value(metric, Json()));
  }
  row.step();
}

}  // namespace wharf::cli
