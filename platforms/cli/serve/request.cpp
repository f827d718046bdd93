#include "platforms/cli/serve/request.h"

#include <fmt/core.h>

#include <set>
#include <vector>

#include "model/base/text.h"
#include "stimuli/traces/selection/trace_spec.h"

namespace wharf::cli {
namespace {

constexpr const char* kMethods = "describe, run, cancel";

/// Notices a member that an object has twice: the parser keeps the last one without a word.
class Duplicates {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    if (event == Json::parse_event_t::object_start) {
      names_.resize(static_cast<std::size_t>(depth) + 1);
      names_.back().clear();
    } else if (event == Json::parse_event_t::key) {
      const auto& name = value.get_ref<const std::string&>();
      if (!names_[static_cast<std::size_t>(depth) - 1].insert(name).second)
        throw BadRequest(fmt::format("the member {} is given twice; keep one", quote(name)));
    }
    return true;
  }

 private:
  std::vector<std::set<std::string>> names_;  // of the objects around the present place, by depth
};

/// A value of `set` as --set takes it.
std::string setting_of(const std::string& key, const Json& value) {
  if (key.find('=') != std::string::npos) throw BadRequest(fmt::format("params.set: {} is not a key; a key has no '='", quote(key)));
  const auto word = [&](const Json& item) {
    if (item.is_string()) return item.get<std::string>();
    if (item.is_number() || item.is_boolean()) return item.dump();
    throw BadRequest(fmt::format("params.set.{} is {}; write a number, true, false, a text or a list of these", key, kind_of(item)));
  };
  if (!value.is_array()) return key + '=' + word(value);
  std::string list;
  for (const Json& item : value) list += (list.empty() ? "" : ", ") + word(item);
  return key + "=[" + list + ']';
}

RunRequest read_run(JsonMembers& params) {
  RunSpec spec;
  spec.config = params.text("config");
  if (spec.config.empty()) params.refuse("config", "is missing; name a configuration, such as \"private\"");
  spec.stimulus = params.text("stimulus");
  spec.skip_bad_kernels = params.flag("skip_bad_kernels", spec.skip_bad_kernels);
  spec.strict_opcodes = params.flag("strict_opcodes", spec.strict_opcodes);
  const std::string trace = params.text("trace");
  if (spec.stimulus.empty() == trace.empty())
    params.refuse("stimulus", "or params.trace: give one of them, such as \"stimulus\": \"gemm@tiny\"");
  if (!trace.empty()) spec.stimulus = traces::kPrefix + trace;
  if (const Json* set = params.find("set")) {
    if (!set->is_object()) params.refuse("set", fmt::format("is {}; write an object, such as {{\"l1.ways\": 8}}", kind_of(*set)));
    for (const auto& [key, value] : set->items()) spec.overrides.push_back(setting_of(key, value));
  }
  spec.seed = params.count("seed", spec.seed, 0, kNever);
  spec.verify = params.flag("verify", spec.verify);
  if (const Json* given = params.find("limits")) {
    JsonMembers limits(*given, "params.limits");
    spec.limit_cycles = limits.count("cycles", kNever, 1, kNever);
    spec.limit_warp_instructions = limits.count("warp_instructions", kNever, 1, kNever);
    limits.refuse_others();
  }
  return {std::move(spec)};
}

}  // namespace

Json parse_line(std::string_view line) {
  Json object;
  try {
    object = Json::parse(line.begin(), line.end(), Duplicates());
  } catch (const Json::parse_error& error) {
    throw BadRequest(fmt::format("the line is not JSON: unexpected character at byte {}", error.byte));
  } catch (const Json::out_of_range&) {
    throw BadRequest("the line is not JSON: it contains a number that is too large");
  }
  if (!object.is_object()) throw BadRequest(fmt::format("the line is {}; write an object with id and method", kind_of(object)));
  const auto id = object.find("id");
  if (id == object.end()) throw BadRequest("the request has no id; give it one, a text or a whole number");
  if (!id->is_string() && !id->is_number_integer())
    throw BadRequest(fmt::format("the id is {}; write a text or a whole number", id->is_number() ? id->dump() : kind_of(*id)));
  return object;
}

Request parse_request(const Json& line) {
  JsonMembers request(line, "the request");
  request.find("id");
  const std::string method = request.text("method");
  if (method.empty()) request.refuse("method", std::string("is missing; there are ") + kMethods);
  const Json* given = request.find("params");
  request.refuse_others();
  const Json nothing = Json::object();
  JsonMembers params(given == nullptr ? nothing : *given, "params");
  Request read;
  if (method == "describe") {
    DescribeRequest describe;
    if (const std::string config = params.text("config"); !config.empty()) describe.config = config;
    read = describe;
  } else if (method == "run") {
    read = read_run(params);
  } else if (method == "cancel") {
    const Json* run = params.find("run");
    if (run == nullptr) params.refuse("run", "is missing; name the id of the run to end");
    read = CancelRequest{*run};
  } else {
    const std::string near = did_you_mean(method, {"describe", "run", "cancel"});
    request.refuse("method", fmt::format("is {}{}", quote(method), near.empty() ? std::string("; there are ") + kMethods : near));
  }
  params.refuse_others();
  return read;
}

}  // namespace wharf::cli
