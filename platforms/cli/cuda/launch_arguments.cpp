#include "platforms/cli/cuda/launch_arguments.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "model/base/config/tree/scalars.h"
#include "model/base/text.h"
#include "platforms/cli/terminal/plural.h"
#include "platforms/cli/yaml_fields.h"
#include "stimuli/ptx/launch_file/element.h"

namespace wharf::cli {

using config::Node;

namespace {

constexpr const char* kExample = "[x, 2.5f32, 3u32]";

bool is_structure(const ptx::Variable& parameter) { return parameter.bytes != ptx::bytes_of(parameter.type); }

std::string type_of(const ptx::Variable& parameter) {
  return is_structure(parameter) ? fmt::format("{} bytes", parameter.bytes) : std::string(ptx::name_of(parameter.type));
}

std::size_t aligned(std::size_t bytes, std::size_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

void LaunchArguments::read(const Node* arguments, const Node& at, const ptx::Function& kernel, ptx::FileLaunch& launch) {
  const std::size_t given = arguments == nullptr ? 0 : arguments->children.size();
  if (given != kernel.parameters.size() || (arguments != nullptr && !arguments->is(Node::Kind::sequence))) {
    std::vector<std::string> wanted;
    for (const std::uint32_t index : kernel.parameters) wanted.push_back(type_of(kernel.variables[index]));
    return complain(
        arguments == nullptr ? at : *arguments,
        fmt::format("kernel {} has {} parameter{} ({}), but {} argument{} {} given; write a list with one argument per parameter",
                    kernel.name, wanted.size(), plural_ending(wanted.size()), join(wanted), given, plural_ending(given), is_or_are(given)));
  }
  for (std::size_t i = 0; i < given; ++i) read_argument(arguments->children[i], kernel.variables[kernel.parameters[i]], launch);
}

std::size_t LaunchArguments::find_array(const Node& node, bool& is_name) {
  const auto array = std::find(arrays_.begin(), arrays_.end(), node.text);
  is_name = array != arrays_.end() ||
            (!node.text.empty() && (std::isalpha(static_cast<unsigned char>(node.text[0])) != 0 || node.text[0] == '_'));
  if (is_name && array == arrays_.end()) {
    const std::string near = did_you_mean(node.text, arrays_);
    complain(node, fmt::format("there is no array {}{}", quote(node.text), near.empty() ? "; there are " + join(arrays_) : near));
  }
  return static_cast<std::size_t>(array - arrays_.begin());
}

void LaunchArguments::read_argument(const Node& node, const ptx::Variable& parameter, ptx::FileLaunch& launch) {
  std::vector<std::byte>& all = launch.request.arguments;
  const std::size_t offset = aligned(all.size(), parameter.alignment);
  all.resize(offset + parameter.bytes);
  if (is_structure(parameter)) return read_structure(node, parameter, offset, launch);
  if (!node.is(Node::Kind::scalar))
    return complain(node, "an argument is " + config::name_of(node) + "; write an array's name or a number");
  bool is_name = false;
  if (const std::size_t array = find_array(node, is_name); array < arrays_.size()) {
    if (parameter.bytes != sizeof(Address))
      return complain(node, fmt::format("{} is an array, but the parameter has type {}, which is not an address; write a number", node.text,
                                        type_of(parameter)));
    launch.arrays.push_back({array, offset});
    return;
  }
  if (is_name) return;
  std::vector<std::byte> bytes;
  if (const std::string complaint = ptx::parse_element(node.text, parameter.type, bytes); !complaint.empty())
    return complain(node, "an argument " + complaint);
  std::copy(bytes.begin(), bytes.end(), all.begin() + static_cast<std::ptrdiff_t>(offset));
}

void LaunchArguments::read_structure(const Node& list, const ptx::Variable& parameter, std::size_t offset, ptx::FileLaunch& launch) {
  if (!list.is(Node::Kind::sequence))
    return complain(
        list, fmt::format("the parameter is a structure of {} bytes; write a list of its fields such as {}", parameter.bytes, kExample));
  const std::size_t mistakes = mistakes_.size();
  std::vector<Field> fields;
  const Extent extent = place_fields(list, fields);
  if (mistakes_.size() != mistakes || !require_room(list, fields, extent.bytes, parameter)) return;
  for (const Field& field : fields) {
    if (field.type == ptx::Type::none) {
      launch.arrays.push_back({field.array, offset + field.begin});
      continue;
    }
    std::vector<std::byte> bytes;
    if (const std::string complaint = ptx::parse_element(field.node->text, field.type, bytes); !complaint.empty())
      complain(*field.node, "a field " + complaint);
    else
      std::copy(bytes.begin(), bytes.end(), launch.request.arguments.begin() + static_cast<std::ptrdiff_t>(offset + field.begin));
  }
}

/// Each field begins at the next multiple of its alignment, or where `at` says.
LaunchArguments::Extent LaunchArguments::place_fields(const Node& list, std::vector<Field>& fields) {
  constexpr std::uint64_t kMostOffset = 65535;
  Extent extent;
  std::size_t next = 0;
  for (const Node& child : list.children) {
    const Node* value = &child;
    std::optional<std::size_t> at;
    if (child.is(Node::Kind::mapping)) {
      Fields keys(child, "field", mistakes_);
      const Node *place = keys.find("at"), *named = keys.find("value");
      keys.refuse_others();
      if (place == nullptr || named == nullptr) {
        complain(child, "a field with a place has the keys at and value, such as {at: 16, value: 3u32}");
        continue;
      }
      const auto parsed = config::parse_integer(*place, 0, kMostOffset);
      if (!parsed.good()) complain(*place, "at " + parsed.complaint);
      at = parsed.value;
      value = named;
    }
    std::vector<Field> own;
    const Extent field = place_field(*value, own);
    const std::size_t begin = at.value_or(aligned(next, field.alignment));
    for (Field& one : own) {
      one.begin += begin;
      fields.push_back(one);
    }
    next = begin + field.bytes;
    extent.bytes = std::max(extent.bytes, next);
    extent.alignment = std::max(extent.alignment, field.alignment);
  }
  extent.bytes = aligned(extent.bytes, extent.alignment);
  return extent;
}

/// A number, an array's address, or a structure within the structure, each from byte 0 on.
LaunchArguments::Extent LaunchArguments::place_field(const Node& node, std::vector<Field>& fields) {
  if (node.is(Node::Kind::sequence)) return place_fields(node, fields);
  if (!node.is(Node::Kind::scalar)) {
    complain(node,
             "a field is " + config::name_of(node) + "; write an array's name, a number with its type such as 3u32, or a list of fields");
    return {};
  }
  bool is_name = false;
  const std::size_t array = find_array(node, is_name);
  const ptx::Type type = is_name ? ptx::Type::none : ptx::written_type(node.text);
  if (!is_name && type == ptx::Type::none)
    complain(node, fmt::format("a field is {}, without a type; add one, such as {}u32", quote(node.text), node.text));
  const std::size_t bytes = type == ptx::Type::none ? sizeof(Address) : ptx::bytes_of(type);
  fields.push_back({&node, 0, bytes, type, array});
  return {bytes, bytes};
}

/// False after a complaint about fields that overlap or exceed the structure, or that are too few for it.
bool LaunchArguments::require_room(const Node& list, const std::vector<Field>& fields, std::size_t bytes, const ptx::Variable& parameter) {
  std::vector<const Field*> sorted;
  for (const Field& field : fields) sorted.push_back(&field);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Field* a, const Field* b) { return a->begin < b->begin; });
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Field& field = *sorted[i];
    const std::size_t end = field.begin + field.bytes;
    if (end > parameter.bytes) {
      complain(
          *field.node,
          fmt::format(
              "the field occupies bytes {} to {}, but the structure has {}; leave it out, or give its place, such as {{at: 0, value: {}}}",
              field.begin, end - 1, parameter.bytes, field.node->text));
      return false;
    }
    if (i == 0 || sorted[i - 1]->begin + sorted[i - 1]->bytes <= field.begin) continue;
    const auto [first, second] = std::minmax(sorted[i - 1], sorted[i]);  // in the order of the file
    complain(*second->node,
             fmt::format("the field occupies bytes {} to {}, which overlap those of {}, {} to {}; choose another place", second->begin,
                         second->begin + second->bytes - 1, quote(first->node->text), first->begin, first->begin + first->bytes - 1));
    return false;
  }
  const std::size_t whole = aligned(bytes, parameter.alignment);
  if (whole == parameter.bytes) return true;
  complain(list, fmt::format("the fields make a structure of {} bytes, but the parameter has {}; write one field per member, such as {}",
                             whole, parameter.bytes, kExample));
  return false;
}

}  // namespace wharf::cli
