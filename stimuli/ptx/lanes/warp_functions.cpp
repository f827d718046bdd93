// Functions of the lanes of a warp.
#include "stimuli/ptx/lanes/warp_functions.h"

#include "stimuli/ptx/lanes/select.h"

namespace wharf::ptx::warp_functions {

namespace {

void broadcast(const Operation& operation, const Rows& rows, LaneMask active, std::uint32_t value) {
  std::uint32_t out[kLanes];
  for (std::uint32_t& lane : out) lane = value;
  write_row(rows.of(operation.operands[0]), out, active);
}

enum class Vote { all, any, uniform };

template <Vote Kind>
void vote_lanes(const Operation& operation, const Rows& rows, LaneMask active) {
  const LaneMask yes = read_predicate(operation, rows, 1) & active;
  const bool result = Kind == Vote::all ? yes == active : Kind == Vote::any ? yes != 0 : yes == 0 || yes == active;
  write_predicate(rows.predicate(operation.operands[0]), result ? kAllLanes : 0, active);
}
void ballot_lanes(const Operation& operation, const Rows& rows, LaneMask active) {
  broadcast(operation, rows, active, read_predicate(operation, rows, 1) & active);
}
void active_lanes(const Operation& operation, const Rows& rows, LaneMask active) { broadcast(operation, rows, active, active); }

template <class T>
void match_any(const Operation& operation, const Rows& rows, LaneMask active) {
  const T* const a = row_of<T>(rows, operation.operands[1]);
  const std::uint32_t* const members = row_of<std::uint32_t>(rows, operation.operands[2]);
  std::uint32_t out[kLanes] = {};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    LaneMask same = 0;
    for (unsigned other = 0; other < kLanes; ++other) same |= static_cast<LaneMask>(a[other] == a[lane]) << other;
    out[lane] = same & active & members[lane];
  }
  write_row(rows.of(operation.operands[0]), out, active);
}

template <class T>
void match_all(const Operation& operation, const Rows& rows, LaneMask active) {
  if (active == 0) return;
  const T* const a = row_of<T>(rows, operation.operands[2]);
  const std::uint32_t* const members = row_of<std::uint32_t>(rows, operation.operands[3]);
  const unsigned first = static_cast<unsigned>(__builtin_ctz(active));
  bool same = true;
  for (unsigned lane = 0; lane < kLanes; ++lane) same &= (active >> lane & 1) == 0 || a[lane] == a[first];
  broadcast(operation, rows, active, same ? active & members[first] : 0);
  if (operation.operands[1].present()) write_predicate(rows.predicate(operation.operands[1]), same ? kAllLanes : 0, active);
}

enum class Shuffle { up, down, butterfly, index };

template <Shuffle Kind>
void shuffle_lanes(const Operation& operation, const Rows& rows, LaneMask active) {
  const std::uint32_t* const a = row_of<std::uint32_t>(rows, operation.operands[2]);
  const std::uint32_t* const b = row_of<std::uint32_t>(rows, operation.operands[3]);
  const std::uint32_t* const c = row_of<std::uint32_t>(rows, operation.operands[4]);
  std::uint32_t out[kLanes];
  LaneMask in_range = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned offset = b[lane] & 31, clamp = c[lane] & 31, segment = c[lane] >> 8 & 31;
    const unsigned last = (lane & segment) | (clamp & ~segment), first = lane & segment;
    unsigned source = lane;
    bool inside = true;
    switch (Kind) {
      case Shuffle::up:
        inside = lane >= last + offset;  // here `last` is the lowest lane of the segment
        source = lane - offset;
        break;
      case Shuffle::down:
        source = lane + offset;
        inside = source <= last;
        break;
      case Shuffle::butterfly:
        source = lane ^ offset;
        inside = source <= last;
        break;
      case Shuffle::index:
        source = first | (offset & ~segment);
        inside = source <= last;
        break;
    }
    // The value of a lane that does not take part is undefined; the reader's own is given.
    const bool present = inside && (active >> source & 1) != 0;
    out[lane] = a[present ? source : lane];
    in_range |= static_cast<LaneMask>(inside) << lane;
  }
  write_row(rows.of(operation.operands[0]), out, active);
  if (operation.operands[1].present()) write_predicate(rows.predicate(operation.operands[1]), in_range, active);
}

/// F::of over the lanes.
template <class F, class T>
void reduce_lanes(const Operation& operation, const Rows& rows, LaneMask active) {
  if (active == 0) return;
  const std::uint32_t* const a = row_of<std::uint32_t>(rows, operation.operands[1]);
  auto result = static_cast<T>(a[__builtin_ctz(active)]);
  for (LaneMask rest = active & (active - 1); rest != 0; rest &= rest - 1) result = F::of(result, static_cast<T>(a[__builtin_ctz(rest)]));
  broadcast(operation, rows, active, static_cast<std::uint32_t>(result));
}
struct Sum {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return a + b; }
};
struct Least {
  template <class T>
  static T of(T a, T b) {
    return b < a ? b : a;
  }
};
struct Most {
  template <class T>
  static T of(T a, T b) {
    return a < b ? b : a;
  }
};
struct AllBits {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return a & b; }
};
struct AnyBits {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return a | b; }
};
struct OddBits {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return a ^ b; }
};

void elect_lane(const Operation& operation, const Rows& rows, LaneMask active) {
  if (active == 0) return;
  const auto leader = static_cast<std::uint32_t>(__builtin_ctz(active));
  if (operation.operands[0].present()) broadcast(operation, rows, active, leader);
  if (operation.operands[1].present()) write_predicate(rows.predicate(operation.operands[1]), LaneMask{1} << leader, active);
}

/// Lanes may execute a function together though their member masks, in operand `Members`, differ: each mask has a result of its own. Without
/// a mask, as in vote without .sync, all lanes have one.
template <Compute Function, unsigned Members>
void by_members(const Operation& operation, const Rows& rows, LaneMask active) {
  if (!operation.operands[Members].present()) return Function(operation, rows, active);
  const std::uint32_t* const members = row_of<std::uint32_t>(rows, operation.operands[Members]);
  while (active != 0) {
    const std::uint32_t mask = members[__builtin_ctz(active)];
    LaneMask alike = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) alike |= static_cast<LaneMask>(members[lane] == mask) << lane;
    Function(operation, rows, active & alike);
    active &= ~alike;
  }
}
template <class F, class T>
constexpr Compute kReduce = &by_members<&reduce_lanes<F, T>, 2>;

}  // namespace

Compute vote(const Form& form) {
  if (form.has("ballot")) return &by_members<&ballot_lanes, 2>;
  if (form.has("all")) return &by_members<&vote_lanes<Vote::all>, 2>;
  return form.has("any") ? &by_members<&vote_lanes<Vote::any>, 2> : &by_members<&vote_lanes<Vote::uniform>, 2>;
}
Compute match(const Form& form) {
  const bool wide = bytes_of(form.type()) == 8;
  if (form.has("any")) return wide ? &match_any<std::uint64_t> : &match_any<std::uint32_t>;
  return wide ? &by_members<&match_all<std::uint64_t>, 3> : &by_members<&match_all<std::uint32_t>, 3>;
}
Compute shfl(const Form& form) {
  if (form.has("up")) return &shuffle_lanes<Shuffle::up>;
  if (form.has("down")) return &shuffle_lanes<Shuffle::down>;
  return form.has("bfly") ? &shuffle_lanes<Shuffle::butterfly> : &shuffle_lanes<Shuffle::index>;
}
bool is_shuffle(Compute compute) {
  return compute == &shuffle_lanes<Shuffle::up> || compute == &shuffle_lanes<Shuffle::down> ||
         compute == &shuffle_lanes<Shuffle::butterfly> || compute == &shuffle_lanes<Shuffle::index>;
}
Compute activemask(const Form&) { return &active_lanes; }

Compute redux(const Form& form) {
  const bool is_signed = form.type() == Type::s32;
  if (form.has("add")) return kReduce<Sum, std::uint32_t>;
  if (form.has("min")) return is_signed ? kReduce<Least, std::int32_t> : kReduce<Least, std::uint32_t>;
  if (form.has("max")) return is_signed ? kReduce<Most, std::int32_t> : kReduce<Most, std::uint32_t>;
  if (form.has("and")) return kReduce<AllBits, std::uint32_t>;
  return form.has("or") ? kReduce<AnyBits, std::uint32_t> : kReduce<OddBits, std::uint32_t>;
}

Compute elect(const Form&) { return &by_members<&elect_lane, 2>; }

}  // namespace wharf::ptx::warp_functions
