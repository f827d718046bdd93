#pragma once
// The bodies of Warp's templates. Only warp.h includes this file.

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/base/bits.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {

template <class F>
void Warp::for_each_active(F f) const {
  if (active_ == kAllLanes) {
    for (unsigned l = 0; l < kLanes; ++l) f(l);
  } else {
    for (const unsigned lane : set_bits(active_)) f(lane);
  }
}

// ---- Control flow

template <class Then>
void Warp::where(const Mask& condition, Then&& then, Site site) {
  where(
      condition, static_cast<Then&&>(then), [] {}, site);
}

template <class Then, class Else>
void Warp::where(const Mask& condition, Then&& then, Else&& otherwise, Site site) {
  branch(condition.sources, site);
  const LaneMask outer = active_;
  active_ = outer & condition.bits;
  if (active_ != 0) then();
  active_ = outer & ~condition.bits;
  if (active_ != 0) otherwise();
  active_ = outer;
}

template <class Condition, class Body>
void Warp::while_any(Condition&& condition, Body&& body, Site site) {
  const LaneMask outer = active_;
  for (std::uint32_t trip = 0;; ++trip) {
    copy_ = trip % translation_.unroll;
    const Mask more = condition();
    branch(more.sources, site);
    active_ &= more.bits;
    if (active_ == 0) break;
    body();
  }
  active_ = outer;
  copy_ = 0;
}

template <class Body>
void Warp::for_lanes(const Lanes<int>& begin, const Lanes<int>& end, Body&& body, Site site) {
  Lanes<int> i = begin;
  while_any([&] { return i < end; },
            [&] {
              body(i);
              i = i + 1;
            },
            site);
}

template <class State, class Iteration, class... Stages>
void Warp::run_batch(int trips_before, int batch, const Iteration& first, Stages&&... stages) {
  std::array<State, kMostAhead> states;
  const auto run = [&](auto& stage) {
    for (int i = 0; i < batch; ++i) {
      copy_ = static_cast<std::uint32_t>(trips_before + i) % translation_.unroll, ahead_ = static_cast<std::uint32_t>(i);
      stage(first + i, states[std::size_t(i)]);
    }
  };
  (run(stages), ...);
  ahead_ = 0;
}

template <class State, class Load, class Use>
void Warp::batched_trips(int count, int batch, Load&& load, Use&& use) {
  for (int i = 0; i < count;) {
    const int here = i + batch <= count ? batch : 1;
    run_batch<State>(i, here, i, load, use);
    i += here;
  }
  copy_ = 0;
}

template <class State, class Load, class Gather, class Use>
void Warp::batched_lanes(const Lanes<int>& begin, const Lanes<int>& end, int batch, Load&& load, Gather&& gather, Use&& use, Site site) {
  Lanes<int> i = begin;
  const auto loop = [&](int at_once) {
    int trips = 0;
    const auto more = [&] { return i + (at_once - 1) < end; };
    const auto body = [&] {
      run_batch<State>(trips, at_once, i, load, gather, use);
      set(i, i + at_once);
      trips += at_once;
    };
    while_any(more, body, site);
  };
  if (batch > 1) loop(batch);
  loop(1);
}

inline Warp::Trips Warp::trips(int count) { return trips(0, count); }
inline Warp::Trips Warp::trips(int begin, int end) { return {copy_, translation_.unroll, begin, end}; }
inline Warp::Trips Warp::unrolled(int count) { return {unrolled_copy_, unrolled_copies_, 0, count}; }

// ---- Memory

template <class T, class Get>
Lanes<T> Warp::read(Path path, Address base, std::uint32_t stride, std::uint32_t size, const Lanes<int>& index, Site site, Get get) {
  const RegisterId destination = register_of(site);
  prepare(path, site, destination, index.sources, sizeof(T));
  set_addresses(base, stride, size, index);
  issue();
  Lanes<T> out;
  if (active_ != kAllLanes) out.v.fill(T{});
  for_each_active([&](unsigned l) { out.v[l] = get(index.v[l]); });
  out.sources = Sources(destination);
  return out;
}

template <class T>
void Warp::write(Path path, const Array<T>& array, const Lanes<int>& index, const Lanes<T>& value, Site site) {
  prepare(path, site, kNoRegister, value.sources | index.sources, sizeof(T));
  set_addresses(array.base, sizeof(T), array.size, index);
  issue();
  for_each_active([&](unsigned l) { array.data[index.v[l]] = value.v[l]; });
}

template <class T>
Lanes<T> Warp::load(const Array<T>& array, const Lanes<int>& index, Site site) {
  return read<T>({Unit::load}, array.base, sizeof(T), array.size, index, site, [&](int i) { return array.data[i]; });
}
template <class T>
Lanes<T> Warp::load(const SharedArray<T>& array, const Lanes<int>& index, Site site) {
  return read<T>({Unit::shared}, array.base, sizeof(T), array.size, index, site, [&](int i) { return array.data[i]; });
}
template <class T>
Lanes<T> Warp::load(const LocalArray<T>& array, const Lanes<int>& index, Site site) {
  const auto place = place_in_local(array, index);
  return read<T>({Unit::load, Space::local}, array.base, sizeof(T), array.size, place, site, [&](int i) { return array.data[i]; });
}
template <class T>
Lanes<T> Warp::texture(const Array<T>& array, const Lanes<int>& index, Site site) {
  return read<T>({Unit::texture}, array.base, sizeof(T), array.size, index, site, [&](int i) { return array.data[i]; });
}
template <class T>
Lanes<T> Warp::load_past_l1(const Array<T>& array, const Lanes<int>& index, Site site) {
  const Path path{Unit::load, Space::global, CacheOp::bypass_l1};
  return read<T>(path, array.base, sizeof(T), array.size, index, site, [&](int i) { return array.data[i]; });
}
template <class T>
Lanes<T> Warp::load_hinted(const Array<T>& array, const Lanes<int>& index, Eviction eviction, Site site) {
  const Path path{Unit::load, Space::global, CacheOp::all, eviction};
  return read<T>(path, array.base, sizeof(T), array.size, index, site, [&](int i) { return array.data[i]; });
}
template <class S, class T>
Lanes<T> Warp::load(const Array<S>& array, const Lanes<int>& index, T S::*member, Site site) {
  const auto* const first = reinterpret_cast<const std::byte*>(array.data);
  const auto offset = static_cast<Address>(reinterpret_cast<const std::byte*>(&(array.data->*member)) - first);
  return read<T>({Unit::load}, array.base + offset, sizeof(S), array.size, index, site, [&](int i) { return array.data[i].*member; });
}

template <class T>
void Warp::store(const Array<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Site site) {
  write<T>({Unit::store}, array, index, value, site);
}
template <class T>
void Warp::store(const SharedArray<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Site site) {
  write<T>({Unit::shared}, array, index, value, site);
}
template <class T>
void Warp::store(const LocalArray<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Site site) {
  write<T>({Unit::store, Space::local}, array, place_in_local(array, index), value, site);
}

template <class T, class Change>
Lanes<T> Warp::change_in_turn(const Array<T>& array, const Lanes<int>& index, const Lanes<T>& value, Change change) {
  Lanes<T> before;
  if (active_ != kAllLanes) before.v.fill(T{});
  for_each_active([&](unsigned l) {
    T& element = array.data[index.v[l]];
    before.v[l] = element;
    element = static_cast<T>(change(before.v[l], value.v[l]));
  });
  return before;
}

template <class T, class Change>
Lanes<T> Warp::atomic(const Array<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Change change, Site site) {
  const RegisterId destination = register_of(site);
  prepare({Unit::atomic, Space::global, CacheOp::bypass_l1}, site, destination, value.sources | index.sources, sizeof(T));
  set_addresses(array.base, sizeof(T), array.size, index);
  issue();
  Lanes<T> before = change_in_turn(array, index, value, change);
  before.sources = Sources(destination);
  return before;
}
template <class T, class Change>
void Warp::reduce(const Array<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Change change, Site site) {
  prepare({Unit::atomic, Space::global, CacheOp::bypass_l1}, site, kNoRegister, value.sources | index.sources, sizeof(T));
  set_addresses(array.base, sizeof(T), array.size, index);
  issue();
  change_in_turn(array, index, value, change);
}

template <class T, class Change>
Lanes<T> Warp::change_shared(const SharedArray<T>& array, const Lanes<int>& index, const Lanes<T>& value, Change change,
                             RegisterId destination, Site site) {
  const LaneMask outer = active_;
  Sources sources = value.sources | index.sources;
  Lanes<T> before = T{};
  while (active_ != 0) {
    const LaneMask waiting = active_;
    active_ = first_at_their_index(index);
    prepare({Unit::shared_atomic}, site, destination, sources, sizeof(T));
    set_addresses(array.base, sizeof(T), array.size, index);
    issue();
    set(before, change_in_turn<T>(array, index, value, change));
    active_ = waiting & ~active_;
    if (destination != kNoRegister) sources = sources | Sources(destination);  // the next turn adds its lanes to the result
  }
  active_ = outer;
  return before;
}

template <class T, class Change>
Lanes<T> Warp::atomic(const SharedArray<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Change change, Site site) {
  const RegisterId destination = register_of(site);
  Lanes<T> before = change_shared(array, index, value, change, destination, site);
  before.sources = Sources(destination);
  return before;
}
template <class T, class Change>
void Warp::reduce(const SharedArray<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Change change, Site site) {
  change_shared(array, index, value, change, kNoRegister, site);
}

template <class T>
void Warp::issue_to_peers(Unit unit, const PeerArray<T>& array, const Lanes<int>& index, RegisterId destination, Sources sources,
                          Site site) {
  prepare({unit, Space::cluster}, site, destination, sources | index.sources | array.rank.sources, sizeof(T));
  set_addresses(array.own.base, sizeof(T), array.own.size, index);
  add_ranks(array.rank);
  issue();
}

template <class T>
Lanes<T> Warp::load(const PeerArray<T>& array, const Lanes<int>& index, Site site) {
  const RegisterId destination = register_of(site);
  issue_to_peers(Unit::shared, array, index, destination, {}, site);
  Lanes<T> out;
  if (active_ != kAllLanes) out.v.fill(T{});
  for_each_active([&](unsigned l) { out.v[l] = element(array, index, l); });
  out.sources = Sources(destination);
  return out;
}

template <class T>
void Warp::store(const PeerArray<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Site site) {
  issue_to_peers(Unit::shared, array, index, kNoRegister, value.sources, site);
  for_each_active([&](unsigned l) { element(array, index, l) = value.v[l]; });
}

template <class T, class Change>
Lanes<T> Warp::change_at_peers(const PeerArray<T>& array, const Lanes<int>& index, const Lanes<T>& value, Change change) {
  Lanes<T> before;
  if (active_ != kAllLanes) before.v.fill(T{});
  for_each_active([&](unsigned l) {
    T& at = element(array, index, l);
    before.v[l] = at;
    at = static_cast<T>(change(before.v[l], value.v[l]));
  });
  return before;
}

template <class T, class Change>
Lanes<T> Warp::atomic(const PeerArray<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Change change, Site site) {
  const RegisterId destination = register_of(site);
  issue_to_peers(Unit::shared_atomic, array, index, destination, value.sources, site);
  Lanes<T> before = change_at_peers(array, index, value, change);
  before.sources = Sources(destination);
  return before;
}

template <class T, class Change>
void Warp::reduce(const PeerArray<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Change change, Site site) {
  issue_to_peers(Unit::shared_atomic, array, index, kNoRegister, value.sources, site);
  change_at_peers<T>(array, index, value, change);
}

template <class T>
SharedArray<T> Warp::shared(std::uint32_t offset, std::uint32_t count) {
  SharedArray<T> out;
  out.base = offset;
  out.data = reinterpret_cast<T*>(shared_bytes(offset, std::uint64_t{count} * sizeof(T)));
  out.size = count;
  return out;
}

// ---- Compute

template <class T>
Lanes<T> Warp::computed(Unit unit, double count, const Lanes<T>& value, Site site) {
  Lanes<T> out = value;
  if (const std::uint16_t n = due(count, value.sources)) {
    compute(unit, n, register_of(site), value.sources, site);
    out.sources = Sources(register_of(site));
  }
  return out;
}
template <class T>
Lanes<T> Warp::compute(double count, const Lanes<T>& value, Site site) {
  return computed(unit_of<T>(), count, value, site);
}
template <class T>
Lanes<T> Warp::sfu(double count, const Lanes<T>& value, Site site) {
  return computed(Unit::sfu, count, value, site);
}

template <class T>
void Warp::update(Lanes<T>& variable, double count, const SameAs<Lanes<T>>& value, Site site) {
  Sources sources = value.sources;
  if (const std::uint16_t n = due(count, sources)) {
    const RegisterId destination = variable.sources.empty() ? register_of(site) : variable.sources.first();
    compute(unit_of<T>(), n, destination, sources, site);
    sources = Sources(destination);
  }
  for_each_active([&](unsigned l) { variable.v[l] = value.v[l]; });
  variable.sources = sources;
}

template <class T>
void Warp::set(Lanes<T>& variable, const SameAs<Lanes<T>>& value) const {
  for_each_active([&](unsigned l) { variable.v[l] = value.v[l]; });
  variable.sources = active_ == kAllLanes ? value.sources : variable.sources | value.sources;
}

}  // namespace wharf::spmd
