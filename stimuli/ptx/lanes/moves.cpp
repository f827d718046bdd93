// Moves on lanes.
#include "stimuli/ptx/lanes/moves.h"

#include <algorithm>

#include "stimuli/ptx/lanes/mbarrier_word.h"
#include "stimuli/ptx/lanes/select.h"

namespace wharf::ptx::moves {

namespace {

struct Copy {
  template <class T>
  static T of(T a) {
    return a;
  }
};
void move_predicate(const Operation& operation, const Rows& rows, LaneMask active) {
  write_predicate(rows.predicate(operation.operands[0]), read_predicate(operation, rows, 1), active);
}

template <class Whole, class Part, unsigned Parts>
void pack_lanes(const Operation& operation, const Rows& rows, LaneMask active) {
  Stored<Whole> out[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    Whole whole = 0;
    for (unsigned i = 0; i < Parts; ++i)
      whole |= static_cast<Whole>(static_cast<Whole>(from_stored<Part>(row_of<Part>(rows, operation.operands[1 + i])[lane]))
                                  << (8 * sizeof(Part) * i));
    out[lane] = whole;
  }
  write_row(rows.of(operation.operands[0]), out, active);
}

template <class Whole, class Part, unsigned Parts>
void unpack_lanes(const Operation& operation, const Rows& rows, LaneMask active) {
  Stored<Part> out[Parts][kLanes];
  const Stored<Whole>* const whole = row_of<Whole>(rows, operation.operands[Parts]);
  for (unsigned i = 0; i < Parts; ++i)
    for (unsigned lane = 0; lane < kLanes; ++lane) out[i][lane] = to_stored<Part>(static_cast<Part>(whole[lane] >> (8 * sizeof(Part) * i)));
  for (unsigned i = 0; i < Parts; ++i)
    if (operation.operands[i].present()) write_row(rows.of(operation.operands[i]), out[i], active);
}

template <Address Window>
struct ToGeneric {
  static std::uint64_t of(std::uint64_t a) { return a + Window; }
  static std::uint32_t of(std::uint32_t a) { return a + static_cast<std::uint32_t>(Window); }
};
template <Address Window>
struct FromGeneric {
  static std::uint64_t of(std::uint64_t a) { return a - Window; }
  static std::uint32_t of(std::uint32_t a) { return a - static_cast<std::uint32_t>(Window); }
};

template <Address Window>
Compute cvta_window(const Form& form) {
  const bool wide = bytes_of(form.type()) == 8;
  if (form.has("to")) return wide ? same_type<FromGeneric<Window>, std::uint64_t, 1>() : same_type<FromGeneric<Window>, std::uint32_t, 1>();
  return wide ? same_type<ToGeneric<Window>, std::uint64_t, 1>() : same_type<ToGeneric<Window>, std::uint32_t, 1>();
}

template <Address First, Address Last>
void test_window(const Operation& operation, const Rows& rows, LaneMask active) {
  const std::uint64_t* const a = row_of<std::uint64_t>(rows, operation.operands[1]);
  std::uint8_t flags[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) flags[lane] = a[lane] >= First && a[lane] <= Last;
  write_predicate(rows.predicate(operation.operands[0]), mask_of(flags), active);
}

bool names_shared(const Form& form) { return form.has("shared") || form.has("shared::cta"); }

/// Addresses of shared memory from `Base` on: 0, or the window of generic addresses.
template <Address Base>
struct RankOf {
  template <class T>
  static std::uint32_t of(T a, std::uint32_t own) {
    const Address offset = a - Base, cluster = kClusterWindow - kSharedWindow;
    return offset < cluster ? own : static_cast<std::uint32_t>((offset - cluster) / kWindowBytes);
  }
};
template <Address Base>
struct InRank {
  template <class T>
  static T of(T a, std::uint32_t rank, std::uint32_t own) {
    const Address offset = (a - Base) % kWindowBytes;
    return static_cast<T>(Base + offset + (rank == own ? 0 : kClusterWindow - kSharedWindow + std::min(rank, kNoRank) * kWindowBytes));
  }
};

struct PendingCount {
  static std::uint32_t of(std::uint64_t state) { return MbarrierWord::unpacked(state).missing; }
};

template <Address Base>
Compute mapa_from(bool wide) {
  return wide ? &map_lanes<InRank<Base>, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t>
              : &map_lanes<InRank<Base>, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
}
template <Address Base>
Compute rank_from(bool wide) {
  return wide ? &map_lanes<RankOf<Base>, std::uint32_t, std::uint64_t, std::uint32_t>
              : &map_lanes<RankOf<Base>, std::uint32_t, std::uint32_t, std::uint32_t>;
}

}  // namespace

Compute mov(const Form& form) { return form.type() == Type::pred ? &move_predicate : by_width<Copy, 1>(form.type()); }

Compute pack(Type whole, unsigned parts) {
  if (bytes_of(whole) == 4) return parts == 2 ? &pack_lanes<std::uint32_t, std::uint16_t, 2> : &pack_lanes<std::uint32_t, std::uint8_t, 4>;
  if (bytes_of(whole) == 2) return &pack_lanes<std::uint16_t, std::uint8_t, 2>;
  return parts == 2 ? &pack_lanes<std::uint64_t, std::uint32_t, 2> : &pack_lanes<std::uint64_t, std::uint16_t, 4>;
}
Compute unpack(Type whole, unsigned parts) {
  if (bytes_of(whole) == 4)
    return parts == 2 ? &unpack_lanes<std::uint32_t, std::uint16_t, 2> : &unpack_lanes<std::uint32_t, std::uint8_t, 4>;
  if (bytes_of(whole) == 2) return &unpack_lanes<std::uint16_t, std::uint8_t, 2>;
  return parts == 2 ? &unpack_lanes<std::uint64_t, std::uint32_t, 2> : &unpack_lanes<std::uint64_t, std::uint16_t, 4>;
}

Compute mapa(const Form& form) {
  const bool wide = bytes_of(form.type()) == 8;
  return form.has("shared::cluster") ? mapa_from<0>(wide) : mapa_from<kSharedWindow>(wide);
}

Compute getctarank(const Form& form) {
  const bool wide = bytes_of(form.type()) == 8;
  return form.has("shared::cluster") ? rank_from<0>(wide) : rank_from<kSharedWindow>(wide);
}

Compute pending_count(const Form&) { return &map_lanes<PendingCount, std::uint32_t, std::uint64_t>; }

Compute cvta(const Form& form) {
  if (names_shared(form) || form.has("shared::cluster")) return cvta_window<kSharedWindow>(form);
  if (form.has("local")) return cvta_window<kLocalWindow>(form);
  return by_width<Copy, 1>(form.type());
}

Compute isspacep(const Form& form) {
  if (names_shared(form)) return &test_window<kSharedWindow, kSharedWindow + kWindowBytes - 1>;
  if (form.has("shared::cluster")) return &test_window<kSharedWindow, kLocalWindow - 1>;
  if (form.has("local")) return &test_window<kLocalWindow, kLocalWindow + kWindowBytes - 1>;
  // Constants and parameters lie in the global range.
  return form.has("global") ? &test_window<kFunctionWindow + kWindowBytes, ~Address{0}> : &test_window<1, 0>;
}

}  // namespace wharf::ptx::moves
