#include "platforms/cli/plugins.h"

#include <dlfcn.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <exception>
#include <filesystem>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/program.h"
#include "platforms/inputs/files.h"
#include "platforms/plugin.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

constexpr const char* kRemedy = "rebuild it against this Wharf (docs/howto-plugins.md)";

[[noreturn]] void refuse(const std::string& file, const std::string& why) { throw InputError(fmt::format("plugin {}: {}", file, why)); }

/// One instance, like the process's set of loaded libraries. Catalogues keep pointers to the texts that plugins have added.
struct Loaded {
  std::vector<LoadedPlugin> plugins;
  std::deque<PluginHost> hosts;
};

Loaded& loaded() {
  static Loaded all;
  return all;
}

void tell(std::vector<std::string>& differences, const char* what, std::uint64_t theirs, std::uint64_t ours) {
  if (theirs != ours) differences.push_back(fmt::format("{} {} instead of {}", what, theirs, ours));
}

/// For example "version 0.0.9 instead of 0.1.0"; empty where the plugin fits.
std::vector<std::string> differences_of(const PluginInfo& info) {
  if (info.form != PluginInfo::kForm) return {"another form of wharf_plugin"};
  std::vector<std::string> differences;
  if (info.version != std::string(kWharfVersion))
    differences.push_back(fmt::format("version {} instead of {}", info.version, kWharfVersion));
  if (info.headers != std::string(kWharfHeaders))
    differences.push_back(fmt::format("headers {} instead of {}", info.headers, kWharfHeaders));
  const Toolchain ours, theirs = info.toolchain;
  tell(differences, "compiler g++", theirs.compiler, ours.compiler);
  tell(differences, "C++", theirs.language, ours.language);
  tell(differences, "libstdc++", theirs.library, ours.library);
  tell(differences, "_GLIBCXX_USE_CXX11_ABI", theirs.strings, ours.strings);
  tell(differences, "SystemC", theirs.systemc, ours.systemc);
  tell(differences, "AddressSanitizer", theirs.sanitizer, ours.sanitizer);
  return differences;
}

/// Names the plugin where its static initialisation throws: an exception cannot pass the system's loader, and would end the program unnamed.
class NamedAtTerminate {
 public:
  explicit NamedAtTerminate(const std::string& file) : before_(std::set_terminate(leave)) { loading() = file; }
  ~NamedAtTerminate() { std::set_terminate(before_); }
  NamedAtTerminate(const NamedAtTerminate&) = delete;
  NamedAtTerminate& operator=(const NamedAtTerminate&) = delete;

 private:
  /// A handler has no arguments.
  static std::string& loading() {
    static std::string file;
    return file;
  }

  [[noreturn]] static void leave() {
    std::string why = "an exception that is not a std::exception";
    try {
      if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
    } catch (const std::exception& failure) {
      why = std::string("an exception: ") + failure.what();
    } catch (...) {
    }
    std::fputs(("wharf: plugin " + loading() + ": its static initialisation threw " + why + "\n").c_str(), stderr);
    _exit(kBadInput);
  }

  std::terminate_handler before_;
};

void* load_library(const std::string& file) {
  const NamedAtTerminate guard(file);
  return dlopen(fs::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
}

const PluginInfo& open(const std::string& file) {
  expect_path(file, PathKind::plugin);
  std::error_code error;
  if (!fs::is_regular_file(file, error)) refuse(file, "there is no such file; check the name");
  void* const library = load_library(file);
  if (library == nullptr) refuse(file, fmt::format("cannot be loaded: {}; {}", dlerror(), kRemedy));
  const void* const symbol = dlsym(library, "wharf_plugin");
  if (symbol == nullptr)
    refuse(file, "does not define wharf_plugin, so it is not a plugin of Wharf; docs/howto-plugins.md says what a plugin defines");
  const auto& info = *static_cast<const PluginInfo*>(symbol);
  const std::vector<std::string> differences = differences_of(info);
  if (!differences.empty())
    refuse(file, fmt::format("was built for another Wharf: {}; {}", join(differences, differences.size()), kRemedy));
  return info;
}

void load(const std::string& file) {
  const PluginInfo& info = open(file);
  const std::string fingerprint = fingerprint_of_file(file);
  auto& [plugins, hosts] = loaded();
  if (std::any_of(plugins.begin(), plugins.end(), [&](const LoadedPlugin& other) { return other.fingerprint == fingerprint; }))
    refuse(file, "is given twice; keep one");
  try {
    info.add(hosts.emplace_back(info.name));
  } catch (const std::exception& failure) {
    refuse(file, failure.what());
  } catch (...) {
    refuse(file, "threw an exception that is not a std::exception from its add function");
  }
  plugins.push_back({file, fingerprint});
}

}  // namespace

bool parse_with_plugins(CommandLine& arguments, const Context& context) {
  arguments.inputs("plugin", "FILE", "shared library with your own policies, networks or stimuli; may be repeated");
  if (!arguments.parse(context.arguments, context.out)) return false;
  for (const std::string& file : arguments.texts("plugin")) load(file);
  return true;
}

const std::vector<LoadedPlugin>& loaded_plugins() { return loaded().plugins; }

void name_plugins(Json& inputs) {
  for (const LoadedPlugin& plugin : loaded_plugins()) {
    inputs["plugins"].push_back(plugin.file);
    inputs["plugin_hashes"].push_back(plugin.fingerprint);
  }
}

}  // namespace wharf::cli
