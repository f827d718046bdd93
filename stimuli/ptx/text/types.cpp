// Names of types and state spaces.
#include "stimuli/ptx/text/types.h"

#include <array>

namespace wharf::ptx {

namespace {

constexpr std::array<std::string_view, 26> kTypes = {"",       "pred", "b8",   "b16",    "b32",    "b64", "b128", "u8",    "u16",
                                                     "u32",    "u64",  "s8",   "s16",    "s32",    "s64", "f16",  "f16x2", "bf16",
                                                     "bf16x2", "e4m3", "e5m2", "e4m3x2", "e5m2x2", "f32", "tf32", "f64"};
constexpr std::array<std::string_view, 7> kSpaces = {"generic", "global", "shared", "local", "const", "param", "shared::cluster"};

}  // namespace

std::optional<Type> type_named(std::string_view name) {
  for (std::size_t i = 1; i < kTypes.size(); ++i)
    if (kTypes[i] == name) return static_cast<Type>(i);
  return std::nullopt;
}

std::string_view name_of(Type type) { return kTypes[static_cast<std::size_t>(type)]; }

std::optional<StateSpace> space_named(std::string_view name) {
  for (std::size_t i = 1; i < kSpaces.size(); ++i)
    if (kSpaces[i] == name) return static_cast<StateSpace>(i);
  if (name == "shared::cta") return StateSpace::shared;
  if (name == "param::entry" || name == "param::func") return StateSpace::param;
  return std::nullopt;
}

std::string_view name_of(StateSpace space) { return kSpaces[static_cast<std::size_t>(space)]; }

}  // namespace wharf::ptx
