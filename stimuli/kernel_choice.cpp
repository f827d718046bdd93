#include "stimuli/kernel_choice.h"

#include <cxxabi.h>
#include <fmt/core.h>
#include <fnmatch.h>
#include <regex.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf {
namespace {

constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Where the list of numbers behind a name begins, at its colon; npos where there is none. The colons of a::b are part of a name.
std::size_t begin_of_numbers(std::string_view kernels) {
  const std::size_t colon = kernels.rfind(':');
  if (colon == kernels.npos || colon == 0 || kernels[colon - 1] == ':') return kernels.npos;
  const std::string_view list = kernels.substr(colon + 1);
  return list.find_first_not_of("0123456789,-") == list.npos ? colon : kernels.npos;
}

}  // namespace

/// A POSIX regular expression: it matches in bounded time, whatever the user writes.
class KernelChoice::Regex {
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

KernelChoice::KernelChoice(std::string stimulus, const std::string& kernels) : stimulus_(std::move(stimulus)) {
  if (kernels.empty()) fail("no kernels are named behind the last colon", "leave it out for all, or write numbers such as 3-7, or a name");
  const bool is_numbers = is_digit(kernels.front()) || kernels.front() == '-' || kernels.front() == ',';
  if (!is_numbers) {
    read_pattern(kernels);
  } else if (kernels.find('/') != kernels.npos) {
    read_sample(kernels);
  } else {
    read_ranges(kernels);
  }
}

bool KernelChoice::selects(const std::string& name) {
  ++asked_;
  bool taken = each_ == 0 || (asked_ - 1) % each_ < taken_of_each_;
  if (is_by_name()) taken = matches(name);
  if (taken) ++matched_;
  if (!ranges_.empty()) taken = taken && is_in_range(matched_);
  if (taken) ++taken_;
  return taken;
}

void KernelChoice::require_kernels() const {
  const std::uint64_t there = is_by_name() ? matched_ : asked_;
  if (is_by_name() && there == 0) {
    const std::string near = did_you_mean(pattern_, functions_);
    fail(fmt::format("none of the {} kernels has a name like {}", asked_, quote(pattern_)),
         near.empty() ? "there are " + join(functions_) : near.substr(2));
  }
  for (const Range& range : ranges_) {
    const std::uint64_t missing = range.first > there ? range.first : range.last != kLast && range.last > there ? range.last : 0;
    if (missing != 0) fail(fmt::format("there is no kernel {}", missing), fmt::format("the list has the kernels 1 to {}", there));
  }
}

void KernelChoice::fail(const std::string& what, const std::string& remedy) const {
  throw InputError(fmt::format("{}: {}; {}", stimulus_, what, remedy));
}

void KernelChoice::read_pattern(std::string_view kernels) {
  if (const std::size_t colon = begin_of_numbers(kernels); colon != kernels.npos) {
    read_ranges(kernels.substr(colon + 1));
    kernels = kernels.substr(0, colon);
  }
  pattern_ = kernels;
  if (pattern_.front() != '/') return;
  if (pattern_.size() < 3 || pattern_.back() != '/')
    fail(pattern_ + " is no regular expression between slashes", "write such as /gemm|gemv/");
  regex_ = std::make_shared<Regex>(stimulus_, pattern_.substr(1, pattern_.size() - 2));
}

std::uint64_t KernelChoice::read_number(std::string_view text, std::string_view item) const {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number =
      !text.empty() && end == text.data() + text.size() && (error == std::errc() || error == std::errc::result_out_of_range);
  if (!is_number) fail(quote(item) + " is neither a number nor a range", "write such as 3, 3-7, 9-, or 1,3-7");
  if (error != std::errc()) return kLast - 1;
  if (value == 0) fail("there is no kernel 0", "kernels are counted from 1");
  return value;
}

void KernelChoice::read_ranges(std::string_view list) {
  for (bool more = true; more;) {
    const std::size_t comma = list.find(',');
    more = comma != list.npos;
    const std::string_view item = list.substr(0, comma);
    const std::size_t dash = item.find('-');
    const std::uint64_t first = read_number(item.substr(0, dash), item);
    const bool open = dash != item.npos && dash + 1 == item.size();
    const std::uint64_t last = open ? kLast : dash == item.npos ? first : read_number(item.substr(dash + 1), item);
    if (last < first)
      fail(fmt::format("{} runs backwards", item), fmt::format("write {}-{}; kernels run in the list's order", last, first));
    ranges_.push_back({first, last});
    if (more) list.remove_prefix(comma + 1);
  }
}

void KernelChoice::read_sample(std::string_view sample) {
  const std::size_t slash = sample.find('/');
  const auto read = [&](std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? value : 0;
  };
  taken_of_each_ = read(sample.substr(0, slash));
  each_ = read(sample.substr(slash + 1));
  if (taken_of_each_ == 0 || each_ < taken_of_each_)
    fail(quote(sample) + " is no sample", "write such as 1/10, for the first of each 10 kernels");
}

bool KernelChoice::matches(const std::string& name) {
  const std::vector<std::string> names = names_of_kernel(name);
  if (std::find(functions_.begin(), functions_.end(), names.back()) == functions_.end()) functions_.push_back(names.back());
  return std::any_of(names.begin(), names.end(), [&](const std::string& one) {
    return regex_ != nullptr ? regex_->found_in(one) : fnmatch(pattern_.c_str(), one.c_str(), 0) == 0;
  });
}

bool KernelChoice::is_in_range(std::uint64_t number) const {
  return std::any_of(ranges_.begin(), ranges_.end(),
                     [number](const Range& range) { return range.first <= number && number <= range.last; });
}

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

std::vector<std::string> names_of_kernel(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return {name, function_of(name)};  // others could be names of types
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  const std::string readable = status == 0 ? demangled.get() : name;
  return {name, readable, function_of(readable)};
}

}  // namespace wharf
