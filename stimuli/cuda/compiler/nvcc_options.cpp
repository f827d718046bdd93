#include "stimuli/cuda/compiler/nvcc_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>

#include "model/base/error.h"

namespace wharf::cuda {
namespace {

using Action = NvccOptions::Action;

[[noreturn]] void refuse(const std::string& option, const std::string& remedy) {
  throw InputError(fmt::format("wharf nvcc: {} cannot be honoured; {}", option, remedy));
}

/// Several options in one argument, as -Xcompiler takes them: separated by commas.
std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  parts.erase(std::remove(parts.begin(), parts.end(), ""), parts.end());
  return parts;
}

/// Long spellings and their short forms. nvcc accepts each long option with one dash too.
const std::map<std::string, std::string>& short_forms() {
  static const std::map<std::string, std::string> kForms = {{"--output-file", "-o"},
                                                            {"--compile", "-c"},
                                                            {"--ptx", "-ptx"},
                                                            {"--cubin", "-cubin"},
                                                            {"--fatbin", "-fatbin"},
                                                            {"--device-c", "-dc"},
                                                            {"--device-w", "-dw"},
                                                            {"--device-link", "-dlink"},
                                                            {"--lib", "-lib"},
                                                            {"--run", "-run"},
                                                            {"--preprocess", "-E"},
                                                            {"--relocatable-device-code", "-rdc"},
                                                            {"--include-path", "-I"},
                                                            {"--system-include", "-isystem"},
                                                            {"--define-macro", "-D"},
                                                            {"--undefine-macro", "-U"},
                                                            {"--pre-include", "-include"},
                                                            {"--library", "-l"},
                                                            {"--library-path", "-L"},
                                                            {"--optimize", "-O"},
                                                            {"--debug", "-g"},
                                                            {"--device-debug", "-G"},
                                                            {"--generate-line-info", "-lineinfo"},
                                                            {"--std", "-std"},
                                                            {"--x", "-x"},
                                                            {"--compiler-options", "-Xcompiler"},
                                                            {"--linker-options", "-Xlinker"},
                                                            {"--ptxas-options", "-Xptxas"},
                                                            {"--gpu-architecture", "-arch"},
                                                            {"--gpu-code", "-code"},
                                                            {"--generate-code", "-gencode"},
                                                            {"--maxrregcount", "-maxrregcount"},
                                                            {"--use_fast_math", "-use_fast_math"},
                                                            {"--ftz", "-ftz"},
                                                            {"--prec-div", "-prec-div"},
                                                            {"--prec-sqrt", "-prec-sqrt"},
                                                            {"--fmad", "-fmad"},
                                                            {"--cudart", "-cudart"},
                                                            {"--compiler-bindir", "-ccbin"},
                                                            {"--machine", "-m"},
                                                            {"--generate-dependencies", "-M"},
                                                            {"--generate-nonsystem-dependencies", "-MM"},
                                                            {"--generate-dependencies-with-compile", "-MD"},
                                                            {"--generate-nonsystem-dependencies-with-compile", "-MMD"},
                                                            {"--dependency-output", "-MF"},
                                                            {"--generate-dependency-targets", "-MP"},
                                                            {"--verbose", "-v"},
                                                            {"--disable-warnings", "-w"},
                                                            {"--extended-lambda", "-extended-lambda"},
                                                            {"--expt-extended-lambda", "-extended-lambda"},
                                                            {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr"},
                                                            {"--source-in-ptx", "-src-in-ptx"},
                                                            {"--restrict", "-restrict"},
                                                            {"--resource-usage", "-res-usage"},
                                                            {"--threads", "-t"},
                                                            {"--keep", "-keep"},
                                                            {"--keep-dir", "-keep-dir"},
                                                            {"--default-stream", "-default-stream"},
                                                            {"--diag-suppress", "-diag-suppress"},
                                                            {"--dryrun", "-dryrun"}};
  return kForms;
}

Language language_of(const std::string& path, const std::string& forced) {
  if (forced == "cu") return Language::cuda;
  if (forced == "c++") return Language::cpp;
  if (forced == "c") return Language::c;
  const std::string extension = std::filesystem::path(path).extension();
  if (extension == ".cu") return Language::cuda;
  if (extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C") return Language::cpp;
  if (extension == ".c") return Language::c;
  if (extension == ".ptx" || extension == ".cubin" || extension == ".fatbin")
    refuse(path, "compile it from its .cu file, or run the PTX alone with `wharf run --ptx`");
  return Language::object;
}

/// One pass over the arguments.
class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  NvccOptions parse() {
    while (at_ < arguments_.size()) {
      const std::string argument = arguments_[at_++];
      if (argument.size() < 2 || argument[0] != '-') {
        options_.inputs.push_back({argument, language_of(argument, forced_language_)});
        continue;
      }
      take(argument);
    }
    check();
    return options_;
  }

 private:
  /// Splits `argument` into the option's short form and its value, if one is attached.
  void take(const std::string& argument) {
    written_ = argument;
    attached_ = false;
    value_.clear();
    std::string name = argument;
    const std::size_t equals = argument.find('=');
    // -D and its kin hold an equals sign of their own.
    const bool joined = std::any_of(std::begin(kJoined), std::end(kJoined), [&](const char* prefix) {
      return argument.compare(0, std::char_traits<char>::length(prefix), prefix) == 0 && argument[1] != '-';
    });
    if (equals != std::string::npos && !joined) {
      name = argument.substr(0, equals);
      value_ = argument.substr(equals + 1);
      attached_ = true;
    }
    const auto found = short_forms().find(name[1] == '-' ? name : "-" + name);
    if (found != short_forms().end()) name = found->second;
    if (!attached_ && argument[1] != '-') split_joined(name);
    if (!parse_flag(name) && !parse_path(name) && !parse_passed_on(name) && !parse_numeric(name) && !read_architecture(name) &&
        !skip_ignored(name) && !refuse_option(name))
      throw InputError(fmt::format("wharf nvcc: option '{}' is not known; `wharf nvcc --help` lists the options", argument));
  }

  /// -Ifolder, -lname, -O3: the value follows the letters.
  void split_joined(std::string& name) {
    for (const char* prefix : kJoined) {
      const std::size_t size = std::char_traits<char>::length(prefix);
      if (name.size() <= size || name.compare(0, size, prefix) != 0 || short_forms_has(name)) continue;
      value_ = name.substr(size);
      attached_ = true;
      name = prefix;
      return;
    }
  }
  static bool short_forms_has(const std::string& name) {
    return std::any_of(short_forms().begin(), short_forms().end(), [&](const auto& form) { return form.second == name; });
  }

  std::string value() {
    if (attached_) return value_;
    if (at_ == arguments_.size()) throw InputError(fmt::format("wharf nvcc: option '{}' needs a value", written_));
    return arguments_[at_++];
  }
  bool parse_bool() {
    const std::string text = value();
    if (text == "true") return true;
    if (text == "false") return false;
    throw InputError(fmt::format("wharf nvcc: {}: '{}' is neither true nor false", written_, text));
  }

  bool parse_flag(const std::string& name) {
    static const std::map<std::string, std::function<void(NvccOptions&)>> kFlags = {
        {"-c", [](NvccOptions& o) { o.action = Action::compile; }},
        {"-dc",
         [](NvccOptions& o) {
           o.action = Action::compile;
           o.relocatable = true;
         }},
        {"-dw", [](NvccOptions& o) { o.action = Action::compile; }},
        {"-dlink", [](NvccOptions& o) { o.action = Action::device_link; }},
        {"-ptx", [](NvccOptions& o) { o.action = Action::ptx; }},
        {"-g", [](NvccOptions& o) { o.debug = true; }},
        {"-use_fast_math", [](NvccOptions& o) { o.fast_math = o.flush_subnormals = true; }},
        {"-v", [](NvccOptions& o) { o.verbose = true; }},
        {"-w", [](NvccOptions& o) { o.warnings.push_back("-w"); }},
        {"-res-usage", [](NvccOptions& o) { o.report_registers = true; }}};
    const auto found = kFlags.find(name);
    if (found == kFlags.end() || attached_) return false;
    found->second(options_);
    return true;
  }

  bool parse_path(const std::string& name) {
    if (name == "-o") {
      options_.output = value();
    } else if (name == "-I" || name == "-D" || name == "-U" || name == "-isystem" || name == "-include") {
      // nvcc separates several values by commas; definitions may hold commas of their own.
      for (const std::string& part : name == "-D" ? std::vector<std::string>{value()} : split_at_commas(value())) {
        options_.preprocessor.push_back(name);
        options_.preprocessor.push_back(part);
      }
    } else if (name == "-L" || name == "-l") {
      for (const std::string& part : split_at_commas(value())) {
        // Ours is linked anyway; device functions and marks for profilers need none.
        if (name == "-l" && (part == "cudart_static" || part == "curand" || part == "nvToolsExt")) continue;
        if (name == "-l" && part == "cuda")
          continue;  // the driver's library: our headers declare none of its functions, but Makefiles name it
        if (name == "-l" && part == "cudadevrt") refuse("-lcudadevrt", "kernels cannot launch kernels (tier 3)");
        options_.linker.push_back(name + part);
      }
    } else if (name == "-x") {
      forced_language_ = value();
      if (forced_language_ != "cu" && forced_language_ != "c++" && forced_language_ != "c")
        throw InputError(fmt::format("wharf nvcc: -x {}: the language is not known; use cu, c++ or c", forced_language_));
    } else if (name == "-ccbin") {
      options_.host_compiler_program = value();
    } else {
      return false;
    }
    return true;
  }

  bool parse_passed_on(const std::string& name) {
    if (name == "-Xcompiler") {
      for (std::string& part : split_at_commas(value())) options_.host_compiler.push_back(std::move(part));
    } else if (name == "-Xlinker") {
      for (const std::string& part : split_at_commas(value())) options_.linker.push_back("-Wl," + part);
    } else if (name == "-Xptxas") {
      for (const std::string& part : split_at_commas(value())) {
        if (part == "-v" || part == "--verbose")
          options_.report_registers = true;
        else
          options_.ignored.push_back("-Xptxas " + part);
      }
    } else if (name == "-M" || name == "-MM") {
      options_.action = Action::dependencies;
      options_.dependencies.push_back(name);
    } else if (name == "-MD" || name == "-MMD" || name == "-MP") {
      options_.dependencies.push_back(name);
    } else if (name == "-MF" || name == "-MT" || name == "-MQ") {
      options_.dependencies.push_back(name);
      options_.dependencies.push_back(value());
    } else if (name == "-W") {
      options_.warnings.push_back("-W" + value());
    } else {
      return false;
    }
    return true;
  }

  /// As ptxas 13.0 does.
  void bound_register_limit() {
    constexpr unsigned kFewest = 24, kMost = 255;
    unsigned& limit = options_.register_limit;
    if (limit > kMost) {
      options_.notes.push_back(fmt::format("-maxrregcount={} has no effect: a thread has at most {} registers", limit, kMost));
      limit = 0;
    } else if (limit != 0 && limit < kFewest) {
      options_.notes.push_back(fmt::format("-maxrregcount={} counts as {}, the fewest registers that nvcc gives a thread", limit, kFewest));
      limit = kFewest;
    }
  }

  bool parse_numeric(const std::string& name) {
    if (name == "-O") {
      options_.optimisation = "-O" + value();
    } else if (name == "-std") {
      options_.standard = value();
    } else if (name == "-m" || name == "-m64" || name == "-m32") {
      if (name == "-m32" || (name == "-m" && value() != "64")) refuse(written_, "only 64-bit programs can run: use -m64");
    } else if (name == "-maxrregcount") {
      const std::string text = value();
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), options_.register_limit);
      if (error != std::errc() || end != text.data() + text.size())
        throw InputError(fmt::format("wharf nvcc: -maxrregcount: '{}' is not a number", text));
      bound_register_limit();
    } else if (name == "-ftz") {
      options_.flush_subnormals = parse_bool();
    } else if (name == "-prec-div") {
      options_.precise_division = parse_bool();
    } else if (name == "-prec-sqrt") {
      options_.precise_root = parse_bool();
    } else if (name == "-fmad") {
      options_.contract = parse_bool();
    } else if (name == "-rdc") {
      options_.relocatable = parse_bool();
    } else if (name == "-cudart") {
      if (const std::string kind = value(); kind == "none")
        refuse("--cudart none", "a program needs the runtime library; leave the option out");
    } else {
      return false;
    }
    return true;
  }

  /// The device's architecture where it is one; names of several, such as `all`, are ignored.
  bool read_architecture(const std::string& name) {
    if (name != "-arch") return false;
    const std::string text = value();
    unsigned number = 0;
    int end = 0;
    const bool is_one =
        std::sscanf(text.c_str(), "sm_%u%n", &number, &end) == 1 || std::sscanf(text.c_str(), "compute_%u%n", &number, &end) == 1;
    const std::string rest = is_one ? text.substr(static_cast<std::size_t>(end)) : "?";
    if (rest.empty() || rest == "a" || rest == "f")
      options_.architecture = number;
    else
      options_.ignored.push_back(name + " " + text);
    return true;
  }

  /// Options that concern machine code or nvcc's internal work, and so have no effect here.
  bool skip_ignored(const std::string& name) {
    static const char* const kWithValue[] = {"-code", "-gencode", "-t", "-keep-dir", "-diag-suppress"};
    static const char* const kAlone[] = {"-lineinfo", "-extended-lambda", "-expt-relaxed-constexpr", "-src-in-ptx", "-restrict", "-keep"};
    const auto is_name = [&](const char* option) { return name == option; };
    if (std::any_of(std::begin(kWithValue), std::end(kWithValue), is_name))
      options_.ignored.push_back(name + " " + value());
    else if (std::any_of(std::begin(kAlone), std::end(kAlone), is_name))
      options_.ignored.push_back(name);
    else if (name == "-default-stream")
      value();  // all streams run in the order of submission (CU-16)
    else if (name == "-G")
      options_.debug = true;  // device code is compiled as without it: debugging code would change what is simulated
    else
      return false;
    return true;
  }

  static bool refuse_option(const std::string& name) {
    if (name == "-cubin" || name == "-fatbin") refuse(name, "there is no machine code; use -ptx");
    if (name == "-lib") refuse(name, "compile with -c and use ar");
    if (name == "-run") refuse(name, "run the program with `wharf cuda`");
    if (name == "-E") refuse(name, "preprocess with clang");
    if (name == "-dryrun") refuse(name, "use -v, which prints the commands and runs them");
    return false;
  }

  void check() const {
    if (options_.inputs.empty()) throw InputError("wharf nvcc: no input file; name a .cu, .cpp, .c or .o file");
    const auto is_source = [](const Input& input) { return input.language != Language::object; };
    const auto sources = std::count_if(options_.inputs.begin(), options_.inputs.end(), is_source);
    if (options_.action == Action::device_link && sources != 0) {
      const std::string& path = std::find_if(options_.inputs.begin(), options_.inputs.end(), is_source)->path;
      throw InputError(fmt::format("wharf nvcc: -dlink: {} is not an object file; compile it with -dc first", path));
    }
    if (options_.action != Action::link && !options_.output.empty() && sources > 1)
      throw InputError(
          fmt::format("wharf nvcc: -o {} names one file, but {} sources are compiled; leave -o out", options_.output, sources));
  }

  static constexpr const char* kJoined[] = {"-isystem", "-I", "-D", "-U", "-L", "-l", "-O", "-o", "-W"};

  const std::vector<std::string>& arguments_;
  std::size_t at_ = 0;
  NvccOptions options_;
  std::string forced_language_;
  std::string written_, value_;  // the present option and its attached value
  bool attached_ = false;
};

}  // namespace

NvccOptions parse_nvcc_options(const std::vector<std::string>& arguments) { return Parser(arguments).parse(); }

}  // namespace wharf::cuda
