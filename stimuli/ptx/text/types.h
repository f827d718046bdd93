#pragma once
// Fundamental types and state spaces of PTX.

#include <cstdint>
#include <optional>
#include <string_view>

namespace wharf::ptx {

/// tf32 is an f32 of which 19 bits count, and e4m3 and e5m2 are floats of 8 bits. Floats come last.
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  e4m3,
  e5m2,
  e4m3x2,
  e5m2x2,
  f32,
  tf32,
  f64
};

/// Size of a value in bytes; 0 for none and pred, which have no place in memory.
constexpr unsigned bytes_of(Type type) {
  switch (type) {
    case Type::none:
    case Type::pred:
      return 0;
    case Type::b8:
    case Type::u8:
    case Type::s8:
    case Type::e4m3:
    case Type::e5m2:
      return 1;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16:
    case Type::e4m3x2:
    case Type::e5m2x2:
      return 2;
    case Type::b32:
    case Type::u32:
    case Type::s32:
    case Type::f16x2:
    case Type::bf16x2:
    case Type::f32:
    case Type::tf32:
      return 4;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64:
      return 8;
    case Type::b128:
      return 16;
  }
  return 0;
}

constexpr bool is_signed(Type type) { return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64; }
constexpr bool is_float(Type type) { return type >= Type::f16; }
/// Two floats of 16 bits.
constexpr bool is_pair(Type type) { return type == Type::f16x2 || type == Type::bf16x2; }

/// The integer type of twice the size, as mul.wide writes it: u16 to u32, s32 to s64.
constexpr Type widened(Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      return Type::none;
  }
}

/// Returns the type that `name` spells, without its dot, or nothing.
std::optional<Type> type_named(std::string_view name);
/// The name without a dot; empty for none.
std::string_view name_of(Type type);

/// `shared_cluster`: the shared memory of the CTAs of a cluster.
enum class StateSpace : std::uint8_t { generic, global, shared, local, constant, param, shared_cluster };

/// Returns the space that `name` spells, without its dot, or nothing. `reg` and `sreg` hold no memory and are no spaces here.
std::optional<StateSpace> space_named(std::string_view name);
/// The name as messages use it: "global", "shared", ..., "generic".
std::string_view name_of(StateSpace space);

}  // namespace wharf::ptx
