#include "platforms/cli/runs/checkpoint.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "model/base/archive.h"
#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "model/base/hash.h"
#include "model/base/text.h"
#include "platforms/cli/program_fingerprint.h"
#include "platforms/cli/runs/resolved_values.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostOfHead = 1u << 20;
constexpr std::string_view kMagic = "wharf checkpoint ", kVersionOfFile = "1";

// Keys that may differ: policies that begin anew or keep nothing, and what only reads counters.
constexpr std::array<std::string_view, 3> kFreeKeys = {"l1.replacement", "l2.replacement", "dram.scheduler"};
constexpr std::array<std::string_view, 2> kFreeGroups = {"energy.", "watchdog."};

// Members of inputs that may differ: the configuration is compared key by key, and limits end a run and change nothing before.
constexpr std::array<std::string_view, 7> kOtherInputs = {"version",      "config",    "config_hash", "set", "limit_warp_instructions",
                                                          "limit_cycles", "boundaries"};

struct CheckpointText {
  CheckpointHead head;
  std::string line;         // with the JSON
  std::string text;         // of the whole file
  std::size_t packed_from;  // in it

  std::string_view packed() const { return std::string_view(text).substr(packed_from); }
};

/// Removes and returns the first line.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

[[noreturn]] void fail(const fs::path& file, const std::string& what) { throw InputError(file.string() + ": " + what); }

/// `text`: the file, or a beginning of it that holds the head.
CheckpointText parse_checkpoint(const fs::path& file, std::string text) {
  CheckpointText read{{file, {}, {}}, {}, std::move(text), 0};
  std::string_view rest = read.text;
  if (rest.substr(0, kMagic.size()) != kMagic) {
    expect_path(file, PathKind::checkpoint);
    fail(file, "is not a checkpoint; wharf run CONFIG --save-at KERNEL FILE writes one");
  }
  rest.remove_prefix(kMagic.size());
  if (const std::string_view version = take_line(rest); version != kVersionOfFile)
    fail(file, fmt::format("is a checkpoint of version {}, but this program reads version {}; save it again", version.substr(0, 20),
                           kVersionOfFile));
  read.line = take_line(rest);
  const Json json = Json::parse(read.line, nullptr, /*allow_exceptions=*/false);
  const auto is = [&](const char* name, Json::value_t type) {
    return json.is_object() && json.contains(name) && json[name].type() == type;
  };
  if (!is("program", Json::value_t::string) || !is("inputs", Json::value_t::object) || !is("resolved", Json::value_t::string))
    fail(file, "is damaged or cut off; save it again");
  if (json["program"] != program_fingerprint()) fail(file, "was saved by another build of wharf; save it again with this one");
  read.head.inputs = json["inputs"];
  read.head.resolved_yaml = json["resolved"];
  read.packed_from = read.text.size() - rest.size();
  return read;
}

/// The number of kernels that had ended; 0 where a damaged head does not say.
std::uint64_t last_boundary(const CheckpointHead& head) {
  const Json boundaries = head.inputs.value("boundaries", Json::array());
  if (!boundaries.is_array() || boundaries.empty() || !boundaries.back().is_object()) return 0;
  const Json kernel = boundaries.back().value("after_kernel", Json());
  return kernel.is_number_unsigned() ? kernel.get<std::uint64_t>() : 0;
}

bool may_differ(const std::string& key) {
  return std::find(kFreeKeys.begin(), kFreeKeys.end(), key) != kFreeKeys.end() ||
         std::any_of(kFreeGroups.begin(), kFreeGroups.end(),
                     [&](std::string_view group) { return key.compare(0, group.size(), group) == 0; });
}

/// "l2.ways: 16 when it was saved, 32 now", for each key that must not differ.
std::vector<std::string> different_keys(const ResolvedValues& saved, const ResolvedValues& now) {
  std::map<std::string, std::pair<std::string, std::string>> both;
  for (const auto& [key, value] : saved) both[key] = {value, "absent"};
  for (const auto& [key, value] : now) {
    const auto [place, is_new] = both.try_emplace(key, "absent", value);
    if (!is_new) place->second.second = value;
  }
  std::vector<std::string> different;
  for (const auto& [key, values] : both)
    if (values.first != values.second && !may_differ(key))
      different.push_back(fmt::format("{}: {} when it was saved, {} now", key, values.first, values.second));
  return different;
}

void expect_same_input(const CheckpointHead& head, const std::string& name, const Json& saved, const Json& now) {
  if (saved == now) return;
  const auto text = [](const Json& value) { return value.is_null() ? "absent" : value.dump(); };
  fail(head.file,
       fmt::format("{} was {} when it was saved, but is {} now; use the saved value, or save it again", name, text(saved), text(now)));
}

Json comparable(Json inputs) {
  for (const std::string_view name : kOtherInputs) inputs.erase(std::string(name));
  if (inputs.contains("trace_hash")) inputs.erase("stimulus");  // another name of the same contents
  return inputs;
}

}  // namespace

CheckpointHead read_checkpoint_head(const fs::path& file) { return parse_checkpoint(file, read_start(file, kMostOfHead)).head; }

void require_continuation(const CheckpointHead& head, const RunSpec& spec, const Configuration& configuration) {
  const Json saved = comparable(head.inputs), now = comparable(inputs_json(spec, configuration));
  for (const auto& [name, value] : saved.items()) expect_same_input(head, name, value, now.value(name, Json()));
  for (const auto& [name, value] : now.items()) expect_same_input(head, name, saved.value(name, Json()), value);
  const std::vector<std::string> different =
      different_keys(resolved_values(head.resolved_yaml, head.file.string()), resolved_values(configuration.resolved_yaml, spec.config));
  if (different.empty()) return;
  std::string text = "was saved from another machine than " + spec.config + ':';
  for (const std::string& key : different) text += "\n  " + key;
  text +=
      "\nonly l1.replacement, l2.replacement, dram.scheduler, energy and watchdog may change; leave the others as they were, or save it again";
  fail(head.file, text);
}

Json boundaries_of(const RunSpec& spec, const Configuration& configuration) {
  Json boundaries = Json::array();
  if (!spec.load.empty()) boundaries = read_checkpoint_head(spec.load).inputs.value("boundaries", boundaries);
  if (spec.save_at != kNever)
    boundaries.push_back({{"after_kernel", spec.save_at}, {"config_hash", hash_text(configuration.resolved_yaml)}});
  return boundaries;
}

void load_checkpoint(const RunSpec& spec, const Configuration& configuration, Simulation& simulation) {
  const CheckpointText read = parse_checkpoint(spec.load, read_file(spec.load));
  require_continuation(read.head, spec, configuration);
  const std::uint64_t last = last_boundary(read.head);
  if (spec.save_at != kNever && spec.save_at <= last)
    throw InputError(fmt::format("--save-at {}: {} continues after kernel {}; name a later kernel", spec.save_at, spec.load, last));
  Archive archive(spec.load, read.packed());
  std::string line;
  archive.section("head", [&] { archive(line); });
  if (line != read.line) fail(spec.load, "is damaged: its header belongs to another checkpoint; save it again");
  simulation.archive(archive);
}

void save_checkpoint(const RunSpec& spec, const Configuration& configuration, const Stimulus& stimulus, Simulation& simulation) {
  Json json;
  json["program"] = program_fingerprint();
  json["inputs"] = inputs_json_of(spec, configuration, stimulus);
  json["resolved"] = configuration.resolved_yaml;
  std::string line = json.dump();
  Archive archive;
  archive.section("head", [&] { archive(line); });
  simulation.archive(archive);
  write_file(spec.save_file, fmt::format("{}{}\n{}\n{}", kMagic, kVersionOfFile, line, archive.packed()));
}

}  // namespace wharf::cli
