#include "stimuli/traces/selection/kernel_selection.h"

#include <cxxabi.h>
#include <fmt/core.h>
#include <fnmatch.h>
#include <regex.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/error.h"
#include "model/base/text.h"
#include "stimuli/traces/bytes/line_source.h"
#include "stimuli/traces/kernel_header.h"

namespace wharf::traces {
namespace {

/// A POSIX regular expression: it matches in bounded time, whatever the user writes.
class Regex {
 public:
  Regex(const std::string& stimulus, const std::string& expression) {
    const int error = regcomp(&compiled_, expression.c_str(), REG_EXTENDED | REG_NOSUB);
    if (error == 0) return;
    char why[128];
    regerror(error, &compiled_, why, sizeof why);
    throw InputError(fmt::format("{}: {} is no regular expression: {}; grep -E says what one is", stimulus, quote(expression), why));
  }
  ~Regex() { regfree(&compiled_); }
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

  bool found_in(const std::string& name) const { return regexec(&compiled_, name.c_str(), 0, nullptr, 0) == 0; }

 private:
  regex_t compiled_;
};

class Selection {
 public:
  Selection(TraceList list, const std::string& stimulus, const std::string& kernels)
      : list_(std::move(list)), stimulus_(stimulus), kernels_(kernels), chosen_(list_.kernels.size(), false) {}

  TraceList take(bool warm) {
    if (kernels_.empty()) fail("no kernels are named behind the last colon", "leave it out for all, or write numbers such as 3-7, or a name");
    if (is_digit(kernels_.front()) || kernels_.front() == '-' || kernels_.front() == ',') {
      choose_numbers();
    } else {
      choose_names();
    }
    TraceList selected = list_;
    selected.kernels.clear();
    selected.warm_up = warm ? static_cast<std::size_t>(std::find(chosen_.begin(), chosen_.end(), true) - chosen_.begin()) : 0;
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      if (chosen_[i] || i < selected.warm_up) selected.kernels.push_back(list_.kernels[i]);
    return selected;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw InputError(fmt::format("{}: {}; {}", stimulus_, what, remedy));
  }

  std::size_t number(std::string_view text, std::string_view item) const {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = !text.empty() && end == text.data() + text.size() && (error == std::errc() || error == std::errc::result_out_of_range);
    if (!is_number) fail(quote(item) + " is neither a number nor a range", "write such as 3, 3-7, 9-, or 1,3-7");
    if (error != std::errc() || value == 0 || value > chosen_.size())
      fail(fmt::format("there is no kernel {}", text), fmt::format("the list has the kernels 1 to {}", chosen_.size()));
    return value;
  }

  void choose_numbers() {
    std::string_view rest = kernels_;
    for (bool more = true; more;) {
      const std::size_t comma = rest.find(',');
      more = comma != rest.npos;
      const std::string_view item = rest.substr(0, comma);
      const std::size_t dash = item.find('-');
      const std::size_t first = number(item.substr(0, dash), item);
      const bool open = dash != item.npos && dash + 1 == item.size();
      const std::size_t last = open ? chosen_.size() : dash == item.npos ? first : number(item.substr(dash + 1), item);
      if (last < first) fail(fmt::format("{} runs backwards", item), fmt::format("write {}-{}; kernels run in the list's order", last, first));
      std::fill(chosen_.begin() + static_cast<std::ptrdiff_t>(first) - 1, chosen_.begin() + static_cast<std::ptrdiff_t>(last), true);
      if (more) rest.remove_prefix(comma + 1);
    }
  }

  void choose_names() {
    if (kernels_.front() != '/') return choose_if([&](const std::string& name) { return fnmatch(kernels_.c_str(), name.c_str(), 0) == 0; });
    if (kernels_.size() < 3 || kernels_.back() != '/') fail(kernels_ + " is no regular expression between slashes", "write such as /gemm|gemv/");
    const Regex regex(stimulus_, kernels_.substr(1, kernels_.size() - 2));
    choose_if([&](const std::string& name) { return regex.found_in(name); });
  }

  void choose_if(const std::function<bool(const std::string&)>& matches) {
    std::vector<std::string> functions;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      require_file(list_, list_.kernels[i]);
      const std::vector<std::string> names = names_of(list_.kernels[i].path);
      chosen_[i] = std::any_of(names.begin(), names.end(), matches);
      if (std::find(functions.begin(), functions.end(), names.back()) == functions.end()) functions.push_back(names.back());
    }
    if (std::find(chosen_.begin(), chosen_.end(), true) != chosen_.end()) return;
    const std::string near = did_you_mean(kernels_, functions);
    fail(fmt::format("none of the {} kernels has a name like {}", chosen_.size(), quote(kernels_)),
         near.empty() ? "there are " + join(functions) : near.substr(2));
  }

  /// As recorded, demangled, and the function alone.
  static std::vector<std::string> names_of(const std::string& file) {
    WarningLog unused;
    const auto source = LineSource::open(file, LineSource::kSmallPiece);
    const std::string name = read_kernel_header(*source, unused).name;
    if (name.rfind("_Z", 0) != 0) return {name, function_of(name)};  // others could be names of types
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> demangled(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
    const std::string readable = status == 0 ? demangled.get() : name;
    return {name, readable, function_of(readable)};
  }

  const TraceList list_;
  const std::string &stimulus_, &kernels_;
  std::vector<bool> chosen_;  // by place in the list
};

}  // namespace

std::string function_of(const std::string& demangled) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  std::string name = demangled;
  for (std::size_t at = 0; (at = name.find(kUnnamed, at)) != name.npos;) name.erase(at, kUnnamed.size());
  std::string plain;  // without template arguments, up to the parameters
  unsigned depth = 0;
  for (const char c : name) {
    if (c == '(' && depth == 0) break;
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>' && depth > 0) --depth;
  }
  const std::size_t before = plain.find_last_of(" :");
  return before == plain.npos ? plain : plain.substr(before + 1);
}

TraceList select_kernels(TraceList list, const std::string& stimulus, const std::string& kernels, bool warm) {
  return Selection(std::move(list), stimulus, kernels).take(warm);
}

}  // namespace wharf::traces
