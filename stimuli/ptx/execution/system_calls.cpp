// Functions of the system.
#include "stimuli/ptx/execution/system_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "stimuli/ptx/execution/checks.h"

namespace wharf::ptx {

namespace {

constexpr std::size_t kMostText = 4096;  // of one string
constexpr unsigned kMostArguments = 32;  // of one printf

std::uint64_t argument(const SystemCall& call, std::size_t index) {
  if (index >= call.site.arguments.size()) fail_thread(call.cta, call.place, "a function of the system is called with too few arguments");
  const CallArgument& from = call.site.arguments[index];
  const unsigned lane = call.place.lane;
  const std::byte* const bytes =
      from.row.present() ? call.rows.of(from.row) + std::size_t{lane} * (from.wide ? 8 : 4) : call.frame.parameters_of(lane) + from.offset;
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, std::min<std::size_t>(from.bytes, sizeof value));
  return value;
}

void write_result(const SystemCall& call, std::uint64_t value) {
  if (call.site.results.empty()) return;
  const CallArgument& to = call.site.results.front();
  const unsigned lane = call.place.lane;
  std::byte* const bytes =
      to.row.present() ? call.rows.of(to.row) + std::size_t{lane} * (to.wide ? 8 : 4) : call.frame.parameters_of(lane) + to.offset;
  std::memcpy(bytes, &value, std::min<std::size_t>(to.bytes, sizeof value));
}

std::string read_text(const SystemCall& call, Address address) {
  std::string text;
  while (text.size() < kMostText) {
    const char c = static_cast<char>(*call.access.readable(address + text.size(), 1, call.place.pc, call.place.lane));
    if (c == '\0') break;
    text += c;
  }
  return text;
}

/// The arguments of a printf, which follow one another at their natural alignments.
class Arguments {
 public:
  Arguments(const SystemCall& call, Address buffer) : call_(call), next_(buffer) {}
  template <class T>
  T take() {
    next_ = (next_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, call_.access.readable(next_, sizeof(T), call_.place.pc, call_.place.lane), sizeof(T));
    next_ += sizeof(T);
    ++count_;
    return value;
  }
  unsigned count() const { return count_; }

 private:
  const SystemCall& call_;
  Address next_;
  unsigned count_ = 0;
};

template <class T>
std::string formatted(const std::string& specification, T value) {
  std::array<char, kMostText> text{};
  const int length = std::snprintf(text.data(), text.size(), specification.c_str(), value);
  return length < 0 ? std::string() : std::string(text.data(), std::min<std::size_t>(static_cast<std::size_t>(length), text.size() - 1));
}

/// Formats one conversion; `specification` ends with its letter, and length modifiers are cut off into `is_long`.
std::string convert(const SystemCall& call, std::string specification, bool is_long, Arguments& arguments) {
  const char letter = specification.back();
  switch (letter) {
    case 'd':
    case 'i':
      specification.insert(specification.size() - 1, "ll");
      return formatted(specification, is_long ? static_cast<long long>(arguments.take<std::int64_t>())
                                              : static_cast<long long>(arguments.take<std::int32_t>()));
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      specification.insert(specification.size() - 1, "ll");
      return formatted(specification, is_long ? static_cast<unsigned long long>(arguments.take<std::uint64_t>())
                                              : static_cast<unsigned long long>(arguments.take<std::uint32_t>()));
    case 'c':
      return formatted(specification, static_cast<int>(arguments.take<std::int32_t>()));
    case 's':
      return formatted(specification, read_text(call, arguments.take<std::uint64_t>()).c_str());
    case 'p':
      return fmt::format("0x{:x}", arguments.take<std::uint64_t>());
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return formatted(specification, arguments.take<double>());
    default:
      return specification;
  }
}

std::string print(const SystemCall& call, const std::string& format, Arguments& arguments) {
  std::string out;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      out += format[++i];
      continue;
    }
    std::string specification = "%";
    bool is_long = false;
    for (++i; i < format.size(); ++i) {
      const char c = format[i];
      if (c == '*') {
        specification += std::to_string(std::min(arguments.take<std::int32_t>(), 1000));
      } else if (c == 'l' || c == 'j' || c == 'z' || c == 't') {
        is_long = true;
      } else if (c != 'h' && c != 'L') {
        specification += c;
        if (std::string_view("0123456789.+- #").find(c) == std::string_view::npos) break;
      }
    }
    constexpr std::size_t kLongest = 24;  // a specification of any use
    if (specification.size() > kLongest || arguments.count() >= kMostArguments) return out;
    out += convert(call, specification, is_long, arguments);
  }
  return out;
}

void print_text(const SystemCall& call) {
  const std::string format = read_text(call, argument(call, 0));
  Arguments arguments(call, argument(call, 1));
  LaunchState& launch = call.cta.launch;
  Printed printed;
  printed.cta = call.cta.number;
  printed.thread = call.place.warp * kLanes + call.place.lane;
  printed.sequence = launch.printed.size();
  printed.text = print(call, format, arguments);
  launch.printed.push_back(std::move(printed));
  write_result(call, arguments.count());
}

void fail_assertion(const SystemCall& call) {
  const std::string condition = read_text(call, argument(call, 0)), file = read_text(call, argument(call, 1));
  const std::uint64_t line = argument(call, 2);
  fail_thread(call.cta, call.place, fmt::format("assertion '{}' failed ({}:{})", condition, file, line & 0xFFFFFFFF), FaultKind::assertion);
}

Address allocate(const SystemCall& call) {
  LaunchState& launch = call.cta.launch;
  const std::uint64_t bytes = argument(call, 0);
  const Address address = launch.memory.allocate(bytes, fmt::format("malloc in kernel {}", launch.kernel.readable_name));
  if (launch.options.poisons) std::fill_n(launch.memory.at(address), bytes, kPoison);
  if (call.cta.checks != nullptr) call.cta.checks->on_allocate(address, bytes);
  return address;
}

}  // namespace

void execute_system_call(const SystemCall& call) {
  Islands::require_mainland("a kernel calls a function of the system");
  DeviceMemory& memory = call.cta.launch.memory;
  switch (call.site.system) {
    case SystemFunction::print:
      return print_text(call);
    case SystemFunction::assert_fail:
      return fail_assertion(call);
    case SystemFunction::allocate:
      return write_result(call, allocate(call));
    case SystemFunction::free: {
      const Address address = argument(call, 0);
      if (address != 0 && !memory.free(address))
        fail_thread(call.cta, call.place, fmt::format("free of {:#x}, where no allocation begins", address));
      return;
    }
    case SystemFunction::none:
      return;
  }
}

}  // namespace wharf::ptx
