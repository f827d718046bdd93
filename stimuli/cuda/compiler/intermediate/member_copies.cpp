#include "stimuli/cuda/compiler/intermediate/member_copies.h"

#include <fmt/core.h>

#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "stimuli/cuda/compiler/intermediate/memory_call.h"

namespace wharf::cuda {
namespace {

constexpr std::size_t kMostMembers = 16;

struct Member {
  std::uint64_t offset = 0, bytes = 0;
  std::string tag;  // such as "!36", of its accesses
};

/// The metadata of a module: the text between the braces of each node, such as `!36`.
using Nodes = std::map<std::string, std::string, std::less<>>;

Nodes nodes_of(const std::string& module) {
  Nodes nodes;
  std::istringstream lines(module);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(" = !{");
    if (line.empty() || line[0] != '!' || at == std::string::npos || line.back() != '}') continue;
    nodes.emplace(line.substr(0, at), line.substr(at + 5, line.size() - at - 6));
  }
  return nodes;
}

std::vector<std::string> elements_of(const Nodes& nodes, std::string_view node) {
  std::vector<std::string> elements;
  const auto found = nodes.find(node);
  if (found == nodes.end()) return elements;
  std::istringstream text(found->second);
  for (std::string element; std::getline(text, element, ',');) elements.push_back(element.substr(element.find_first_not_of(' ')));
  return elements;
}

/// The members that a copy names. None if they are not scalars that lie one behind the other.
std::vector<Member> members_of(const Nodes& nodes, const MemoryCall& call) {
  const std::vector<std::string> elements = elements_of(nodes, call.member_list);
  if (elements.size() % 3 != 0 || elements.size() > 3 * kMostMembers) return {};
  std::vector<Member> members;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < elements.size(); i += 3) {
    const auto number = [&](std::size_t n) { return elements[n].rfind("i64 ", 0) == 0 ? std::stoull(elements[n].substr(4)) : ~0ull; };
    const Member member{number(i), number(i + 1), elements[i + 2]};
    const bool is_scalar = member.bytes == 1 || member.bytes == 2 || member.bytes == 4 || member.bytes == 8;
    if (!is_scalar || member.offset < end || member.offset % member.bytes != 0 || member.offset + member.bytes > call.bytes) return {};
    end = member.offset + member.bytes;
    members.push_back(member);
  }
  return members;
}

/// The type of a member in registers. Its tag is `!{type, type, i64 0}`, and the type's node begins with its name.
std::string type_of_member(const Nodes& nodes, const Member& member) {
  const std::vector<std::string> tag = elements_of(nodes, member.tag);
  const std::vector<std::string> type = elements_of(nodes, tag.empty() ? "" : tag[0]);
  if (!type.empty() && type[0] == "!\"float\"" && member.bytes == 4) return "float";
  if (!type.empty() && type[0] == "!\"double\"" && member.bytes == 8) return "double";
  return fmt::format("i{}", 8 * member.bytes);
}

}  // namespace

std::string with_member_copies(const std::string& module) {
  const Nodes nodes = nodes_of(module);
  std::string out;
  out.reserve(module.size() + module.size() / 8);
  ReplacingAccesses::Names names{"member"};
  std::istringstream lines(module);
  for (std::string line; std::getline(lines, line);) {
    const auto call = MemoryCall::read(line);
    const std::vector<Member> members = call && !call->byte ? members_of(nodes, *call) : std::vector<Member>();
    if (members.empty()) {
      out += line + '\n';
      continue;
    }
    ReplacingAccesses accesses(out, *call, names);
    std::vector<std::string> values, types;
    for (const Member& member : members) {
      types.push_back(type_of_member(nodes, member));
      values.push_back(accesses.load(member.offset, types.back()));
    }
    for (std::size_t i = 0; i < members.size(); ++i) accesses.store(members[i].offset, types[i], values[i]);
  }
  return out;
}

}  // namespace wharf::cuda
