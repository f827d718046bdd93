#include "platforms/cli/commands/declaration.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "platforms/cli/terminal/command_line.h"

namespace wharf::cli {
namespace {

Declaration declaration_of(const Command& command) {
  const std::vector<std::string> arguments = {kDeclare};
  std::ostringstream out, err;
  command.run({arguments, out, err});
  const nlohmann::json json = nlohmann::json::parse(out.str());
  Declaration declaration{command.name, command.help, json["usage"], json["help"], {}};
  for (const nlohmann::json& option : json["options"])
    declaration.options.push_back({option["name"], option["meta"], option["help"], option["path"], option["repeats"]});
  return declaration;
}

}  // namespace

std::vector<Declaration> all_declarations() {
  std::vector<Declaration> all;
  for (const Command& command : all_commands()) all.push_back(declaration_of(command));
  return all;
}

std::vector<std::string> choices_of(const std::string& meta) {
  std::vector<std::string> choices;
  if (meta.find('|') == std::string::npos) return choices;
  std::istringstream words(meta);
  for (std::string word; std::getline(words, word, '|');) choices.push_back(word);
  return choices;
}

}  // namespace wharf::cli
