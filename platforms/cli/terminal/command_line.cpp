#include "platforms/cli/terminal/command_line.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "model/base/text.h"

namespace wharf::cli {
namespace po = boost::program_options;

namespace {

constexpr const char* kPositional = "arguments without a name";
constexpr char kBetweenPair = '\n';
constexpr const char* kUses[] = {"input", "output", "folder"};  // of PathOption, in a declaration

}  // namespace

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string found = did_you_mean(word, candidates);
  return found.empty() ? ". " : found + ' ';
}

std::uint64_t parse_count(const std::string& text, const std::string& what, std::uint64_t min, std::uint64_t max) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < min || value > max) {
    throw InputError(fmt::format("{}: {} is not a whole number from {} to {}", what, quote(text), min, max));
  }
  return value;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    if (part.empty()) continue;
    // "m=64" after "gemm:n=256" is that stimulus's next argument, not a stimulus.
    const bool argument = part.find('=') != std::string::npos && part.find(':') == std::string::npos;
    if (argument && !parts.empty()) {
      parts.back() += ',' + part;
    } else {
      parts.push_back(part);
    }
  }
  return parts;
}

struct CommandLine::Options {
  po::options_description declared{"options"};
  po::variables_map found;
};

CommandLine::CommandLine(std::string usage, std::string help)
    : usage_(std::move(usage)), help_(std::move(help)), options_(std::make_shared<Options>()) {
  options_->declared.add_options()("help,h", "print this");
}

CommandLine& CommandLine::flag(const char* name, const char* help) {
  options_->declared.add_options()(name, help);
  return *this;
}

CommandLine& CommandLine::value(const char* name, const char* meta, const char* help) {
  options_->declared.add_options()(name, po::value<std::string>()->value_name(meta), help);
  return *this;
}

CommandLine& CommandLine::values(const char* name, const char* meta, const char* help) {
  options_->declared.add_options()(name, po::value<std::vector<std::string>>()->value_name(meta), help);
  return *this;
}

CommandLine& CommandLine::input(const char* name, const char* meta, const char* help) {
  paths_[name] = {};
  return value(name, meta, help);
}

CommandLine& CommandLine::inputs(const char* name, const char* meta, const char* help) {
  paths_[name] = {};
  return values(name, meta, help);
}

CommandLine& CommandLine::output(const char* name, const char* help) {
  paths_[name] = {PathOption::Use::output, {}, {}};
  return value(name, "FILE", help);
}

CommandLine& CommandLine::output_folder(const char* name, const char* help, const std::string& preset, std::vector<std::string> files) {
  paths_[name] = {PathOption::Use::folder, preset, std::move(files)};
  return value(name, "DIR", (help + (preset.empty() ? "" : " (default " + preset + ")")).c_str());
}

CommandLine& CommandLine::count_and_output(const char* name, const char* meta, const char* help) {
  pairs_.emplace_back(name, meta);
  paths_[name] = {PathOption::Use::output, {}, {}};
  return value(name, meta, help);
}

CommandLine& CommandLine::positionals(int most) {
  most_positionals_ = most;
  return *this;
}

std::string CommandLine::declaration() const {
  nlohmann::ordered_json json = {{"usage", usage_}, {"help", help_}, {"options", nlohmann::ordered_json::array()}};
  for (const auto& option : options_->declared.options()) {
    const auto* typed = dynamic_cast<const po::typed_value_base*>(option->semantic().get());
    const bool has_value = option->semantic()->max_tokens() > 0;
    const auto path = paths_.find(option->long_name());
    const char* const use = path == paths_.end() ? "" : kUses[static_cast<std::size_t>(path->second.use)];
    json["options"].push_back({{"name", option->long_name()},
                               {"meta", has_value ? option->semantic()->name() : ""},
                               {"help", option->description()},
                               {"path", use},
                               {"repeats", has_value && typed != nullptr && typed->value_type() == typeid(std::vector<std::string>)}});
  }
  return json.dump();
}

bool CommandLine::is_pair(const std::string& name) const {
  return std::any_of(pairs_.begin(), pairs_.end(), [&](const auto& pair) { return pair.first == name; });
}

/// Makes one value of the two of a pair, as the parser below knows options with one value only.
std::vector<std::string> CommandLine::with_joined_pairs(const std::vector<std::string>& arguments) const {
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    joined.push_back(arguments[i]);
    for (const auto& [name, meta] : pairs_) {
      const std::string option = "--" + name;
      const bool assigned = arguments[i].rfind(option + '=', 0) == 0;
      if (!assigned && arguments[i] != option) continue;
      const std::size_t last = i + (assigned ? 1 : 2);
      if (last >= arguments.size() || arguments[last].empty() || arguments[last].rfind("--", 0) == 0)
        throw InputError(fmt::format("{} takes two values: {} {}. Usage: wharf {}", option, option, meta, usage_));
      if (!assigned) joined.push_back(arguments[i + 1]);
      joined.back() += kBetweenPair + arguments[last];
      i = last;
      break;
    }
  }
  return joined;
}

bool CommandLine::parse(const std::vector<std::string>& arguments, std::ostream& out) {
  if (arguments.size() == 1 && arguments.front() == kDeclare) {
    out << declaration();
    return false;
  }
  po::options_description all;
  all.add(options_->declared).add_options()(kPositional, po::value<std::vector<std::string>>());
  po::positional_options_description unnamed;
  unnamed.add(kPositional, -1);
  const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  try {
    po::store(po::command_line_parser(with_joined_pairs(arguments)).options(all).positional(unnamed).style(style).run(), options_->found);
  } catch (const po::unknown_option& error) {
    unknown_option(error.get_option_name());
  } catch (const po::error& error) {
    throw InputError(fmt::format("{}. Usage: wharf {}", error.what(), usage_));
  }
  if (has("help")) {
    std::ostringstream listing;
    listing << options_->declared;
    fmt::print(out, "usage: wharf {}\n\n{}\n\n{}", usage_, help_, listing.str());
    return false;
  }
  if (has(kPositional)) positional_ = options_->found[kPositional].as<std::vector<std::string>>();
  if (positional_.size() > static_cast<std::size_t>(most_positionals_)) {
    throw InputError(fmt::format("{} is one argument too many. Usage: wharf {}",
                                 quote(positional_[static_cast<std::size_t>(most_positionals_)]), usage_));
  }
  require_outputs();
  return true;
}

/// Before the command does anything, so that no work is lost for a place where its result cannot be.
void CommandLine::require_outputs() const {
  std::map<std::filesystem::path, std::string> options;  // by file
  const auto require = [&](const std::string& option, const std::filesystem::path& file) {
    require_writable(file);
    std::error_code error;
    const bool device = std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error);
    const auto [other, is_new] = options.emplace(std::filesystem::weakly_canonical(std::filesystem::absolute(file), error), option);
    if (!is_new && !device)
      throw InputError(fmt::format("{}: {} also writes this file; choose another name for one of them", file.string(), other->second));
  };
  for (const auto& [name, path] : paths_) {
    if (path.use == PathOption::Use::input || (text(name).empty() && !has(name))) continue;
    const std::string option = "--" + name;
    try {
      if (path.use == PathOption::Use::output) {
        require(option, is_pair(name) ? texts_of_pair(name).second : text(name));
        continue;
      }
      require_writable_folder(text(name));
      for (const std::string& file : path.files) require(option, text(name) / std::filesystem::path(file));
    } catch (const InputError& error) {
      throw InputError(option + ": " + error.what());
    }
  }
}

void CommandLine::unknown_option(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& option : options_->declared.options()) names.push_back("--" + option->long_name());
  const std::string bare = name.substr(0, name.find('='));
  throw InputError(fmt::format("unknown option {}{}Usage: wharf {}", quote(bare), suggestion(bare, names), usage_));
}

bool CommandLine::has(const std::string& name) const { return options_->found.count(name) != 0; }

std::string CommandLine::text(const std::string& name, const std::string& otherwise) const {
  if (has(name)) return options_->found[name].as<std::string>();
  const auto path = paths_.find(name);
  return path == paths_.end() || path->second.preset.empty() ? otherwise : path->second.preset;
}

std::pair<std::string, std::string> CommandLine::texts_of_pair(const std::string& name) const {
  const std::string both = text(name);
  const std::size_t between = both.find(kBetweenPair);
  return {both.substr(0, between), both.substr(between + 1)};
}

std::vector<std::string> CommandLine::texts(const std::string& name) const {
  return has(name) ? options_->found[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

std::uint64_t CommandLine::count(const std::string& name, std::uint64_t otherwise, std::uint64_t min, std::uint64_t max) const {
  return has(name) ? parse_count(text(name), "--" + name, min, max) : otherwise;
}

void CommandLine::exclude(const char* one, const char* other, const char* why) const {
  if (has(one) && has(other)) throw InputError(fmt::format("--{} and --{}: {}", one, other, why));
}

}  // namespace wharf::cli
