#include "platforms/cli/serve/json_members.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "model/base/text.h"

namespace wharf::cli {

std::string kind_of(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::boolean:
      return "a boolean";
    case Json::value_t::string:
      return "a text";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::object:
      return "an object";
    default:
      return "a number";
  }
}

JsonMembers::JsonMembers(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
  if (!object.is_object()) throw BadRequest(fmt::format("{} is {}; write an object", where_, kind_of(object)));
}

void JsonMembers::refuse(const std::string& name, const std::string& what) const {
  throw BadRequest(fmt::format("{}.{} {}", where_, name, what));
}

const Json* JsonMembers::find(const std::string& name) {
  known_.push_back(name);
  const auto found = object_.find(name);
  return found == object_.end() ? nullptr : &*found;
}

std::string JsonMembers::text(const std::string& name) {
  const Json* value = find(name);
  if (value == nullptr) return {};
  if (!value->is_string()) refuse(name, fmt::format("is {}; write a text", kind_of(*value)));
  if (value->get_ref<const std::string&>().empty()) refuse(name, "is empty");
  return value->get<std::string>();
}

std::uint64_t JsonMembers::count(const std::string& name, std::uint64_t otherwise, std::uint64_t min, std::uint64_t max) {
  const Json* value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_number_unsigned() || value->get<std::uint64_t>() < min || value->get<std::uint64_t>() > max)
    refuse(name, fmt::format("is {}; write a whole number from {} to {}", value->is_number() ? value->dump() : kind_of(*value), min, max));
  return value->get<std::uint64_t>();
}

bool JsonMembers::flag(const std::string& name, bool otherwise) {
  const Json* value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) refuse(name, fmt::format("is {}; write true or false", kind_of(*value)));
  return value->get<bool>();
}

void JsonMembers::refuse_others() const {
  for (const auto& [name, value] : object_.items()) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    const std::string near = did_you_mean(name, known_);
    throw BadRequest(fmt::format("{} has no member {}{}", where_, quote(name), near.empty() ? "; it has " + join(known_) : near));
  }
}

}  // namespace wharf::cli
