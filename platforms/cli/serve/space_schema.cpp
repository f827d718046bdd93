#include "platforms/cli/serve/space_schema.h"

#include <fmt/core.h>

#include "model/base/config/describer.h"
#include "platforms/cli/version.h"
#include "platforms/inputs/configuration.h"
#include "stimuli/catalogue.h"

namespace wharf::cli {
namespace {

using config::Description;

/// A number, list or quoted text as YAML writes it; a bare word is a text.
Json value_of(const std::string& yaml) {
  Json value = Json::parse(yaml, nullptr, /*allow_exceptions=*/false);
  return value.is_discarded() ? Json(yaml) : value;
}

Json number_schema(const char* type, const Description& key) {
  return {{"type", type}, {"minimum", value_of(key.minimum)}, {"maximum", value_of(key.maximum)}};
}

/// One of several words; a policy with arguments may have them behind its name.
Json words_schema(const Description& key) {
  Json choices = Json::array();
  for (const config::PolicyName& word : key.words) {
    Json& choice = choices.emplace_back(Json{{"const", word.name}});
    if (!word.help.empty()) choice["description"] = word.help;
    if (!word.arguments.empty()) choices.push_back({{"pattern", '^' + word.name + ":.+"}});  // the help above explains them
  }
  return {{"type", "string"}, {"anyOf", std::move(choices)}};
}

Json type_of(const Description& key) {
  if (!key.words.empty()) return words_schema(key);
  if (key.type == "integer") return number_schema("integer", key);
  if (!key.word.empty()) return {{"anyOf", {number_schema("integer", key), {{"const", key.word}}}}};
  if (key.type == "number") return number_schema("number", key);
  if (key.type == "true or false") return {{"type", "boolean"}};
  if (key.type == "list of integers") return {{"type", "array"}, {"items", number_schema("integer", key)}};
  return {{"type", "string"}};
}

Json keys_schema(const std::string& config) {
  Json keys = Json::object();
  for (const Description& key : config::descriptions_of(load_configuration(config, {}, "").params)) {
    if (key.type == "group") continue;
    Json& schema = keys[key.path] = type_of(key);
    schema["default"] = value_of(key.default_value);
    if (!key.unit.empty()) schema["unit"] = key.unit;
    schema["description"] = key.help;
  }
  return {{"type", "object"},
          {"description", "configuration keys; defaults are those of the configuration " + config},
          {"properties", std::move(keys)},
          {"additionalProperties", false}};
}

Json names(const char* help, std::vector<std::string> examples) {
  return {{"type", "string"}, {"minLength", 1}, {"description", help}, {"examples", std::move(examples)}};
}

std::vector<std::string> configurations() {
  std::vector<std::string> list;
  for (const auto& entry : config::list_configurations(configuration_root())) list.push_back(entry.name);
  return list;
}

std::vector<std::string> stimuli() {
  std::vector<std::string> list;
  for (const WorkloadInfo& workload : list_stimuli())
    for (const WorkloadSize& size : workload.sizes) list.push_back(workload.name + '@' + size.name);
  return list;
}

Json count_schema(const char* help, unsigned min) { return {{"type", "integer"}, {"minimum", min}, {"description", help}}; }

}  // namespace

Json space_schema(const std::string& config) {
  Json properties;
  properties["config"] = names("name of a configuration, or a YAML file", configurations());
  properties["set"] = keys_schema(config);
  properties["stimulus"] = names("a stimulus with its size or arguments, such as gemm:n=256, or trace:DIR[:KERNELS]", stimuli());
  properties["trace"] = {
      {"type", "string"},
      {"minLength", 1},
      {"description", "short for the stimulus trace:FILE: kernelslist.g of a recorded trace, its folder or a kernel file"}};
  properties["seed"] = count_schema("seed of all random numbers", 0);
  properties["seed"]["default"] = 1;
  properties["verify"] = {{"type", "boolean"}, {"default", false}, {"description", "check every load against golden memory"}};
  properties["limits"] = {{"type", "object"},
                          {"properties",
                           {{"cycles", count_schema("stop at this core cycle", 1)},
                            {"warp_instructions", count_schema("stop after this number of warp instructions", 1)}}},
                          {"additionalProperties", false}};
  const Json one_of = {{{"required", {"config", "stimulus"}}}, {{"required", {"config", "trace"}}}};
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", fmt::format("params of run, Wharf {}", kVersion)},
          {"type", "object"},
          {"properties", std::move(properties)},
          {"oneOf", one_of},
          {"additionalProperties", false}};
}

}  // namespace wharf::cli
