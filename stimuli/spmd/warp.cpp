#include "stimuli/spmd/warp.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "model/base/bits.h"
#include "model/base/cluster_member.h"
#include "model/base/error.h"

namespace wharf::spmd {
namespace {

LaneMask lanes_of(std::uint64_t threads, unsigned warp) {
  const std::uint64_t first = std::uint64_t{warp} * kLanes;
  if (threads >= first + kLanes) return kAllLanes;
  return threads <= first ? 0 : (LaneMask{1} << (threads - first)) - 1;
}

}  // namespace

Warp::Warp(const Kernel& kernel, const Translation& translation, std::shared_ptr<Cta> cta, unsigned number)
    : launch_(kernel.launch),
      program_(kernel.program),
      unrolled_copies_(kernel.unrolled_copies),
      translation_(translation),
      cta_(std::move(cta)),
      number_(number),
      active_(lanes_of(kernel.launch.threads_per_cta(), number)) {}

Lanes<int> Warp::thread_x() const {
  Lanes<int> out;
  std::uint32_t x = number_ * kLanes % launch_.block.x;
  for (unsigned l = 0; l < kLanes; ++l) {
    out.v[l] = static_cast<int>(x);
    if (++x == launch_.block.x) x = 0;
  }
  return out;
}

Lanes<int> Warp::thread_y() const {
  Lanes<int> out;
  const std::uint32_t row = number_ * kLanes / launch_.block.x;
  std::uint32_t x = number_ * kLanes % launch_.block.x, y = row % launch_.block.y;
  for (unsigned l = 0; l < kLanes; ++l) {
    out.v[l] = static_cast<int>(y);
    if (++x < launch_.block.x) continue;
    x = 0;
    if (++y == launch_.block.y) y = 0;
  }
  return out;
}

Lanes<int> Warp::thread_z() const {
  Lanes<int> out;
  const std::uint32_t plane = launch_.block.x * launch_.block.y;
  std::uint32_t in_plane = number_ * kLanes % plane, z = number_ * kLanes / plane;
  for (unsigned l = 0; l < kLanes; ++l) {
    out.v[l] = static_cast<int>(z);
    if (++in_plane < plane) continue;
    in_plane = 0;
    ++z;
  }
  return out;
}

boost::context::fiber Warp::run(boost::context::fiber&& outside, std::exception_ptr& error) {
  FiberSwitch::entered(&outside_stack_);
  outside_ = std::move(outside);
  try {
    program_(*this);
    prepare(Unit::exit, Site(0), kNoRegister, {});
    issue();
  } catch (const boost::context::detail::forced_unwind&) {
    FiberSwitch::leave_for_good(outside_stack_);
    throw;  // caught by the coroutine library: the stream was destroyed before its end
  } catch (...) {
    error = std::current_exception();
  }
  FiberSwitch::leave_for_good(outside_stack_);
  return std::move(outside_);
}

void Warp::issue() {
  const FiberSwitch guard(outside_stack_, &outside_stack_);
  outside_ = std::move(outside_).resume();
}

void Warp::prepare(Unit unit, Site site, RegisterId destination, Sources sources) {
  instruction_.pc = ((site.line * unrolled_copies_ + unrolled_copy_) * translation_.unroll + copy_) * kBytesPerInstruction;
  instruction_.unit = unit;
  instruction_.destination = destination;
  instruction_.sources = {sources[0], sources[1], sources[2], sources[3]};
  instruction_.active = active_;
  instruction_.repeat = 1;
}

void Warp::prepare(Path path, Site site, RegisterId destination, Sources sources, std::uint8_t access_bytes) {
  prepare(path.unit, site, destination, sources);
  instruction_.space = path.space;
  instruction_.cache_op = path.cache_op;
  instruction_.eviction = path.eviction;
  instruction_.access_bytes = access_bytes;
}

Lanes<int> Warp::place_in_local(std::uint32_t per_thread, const Lanes<int>& index) const {
  const Dim3& at = cta_->index;
  const std::uint64_t cta = at.x + launch_.grid.x * (at.y + std::uint64_t{launch_.grid.y} * at.z);
  const std::uint64_t first = (cta * launch_.warps_per_cta() + number_) * per_thread;
  Lanes<int> place = index;
  for_each_active([&](unsigned l) {
    if (static_cast<std::uint32_t>(index.v[l]) >= per_thread) out_of_range(index, per_thread);
    place.v[l] = static_cast<int>((first + static_cast<std::uint32_t>(index.v[l])) * kLanes + l);
  });
  return place;
}

LaneMask Warp::first_at_their_index(const Lanes<int>& index) const {
  LaneMask first = 0;
  for_each_active([&](unsigned l) {
    bool alone = true;
    for (const unsigned below : set_bits(first)) alone &= index.v[below] != index.v[l];
    if (alone) first |= LaneMask{1} << l;
  });
  return first;
}

void Warp::set_addresses(Address base, std::uint32_t stride, std::uint32_t size, const Lanes<int>& index) {
  // Its sign bit is set for an index that is negative or beyond the last element; hosts compare no unsigned vectors.
  const std::uint32_t last = std::min<std::uint32_t>(size, 1u << 31) - 1;
  const auto sign_if_outside = [&](unsigned lane) {
    const auto i = static_cast<std::uint32_t>(index.v[lane]);
    return i | (last - i);
  };
  std::uint32_t signs = 0;
  if (active_ == kAllLanes) {
    for (unsigned l = 0; l < kLanes; ++l) signs |= sign_if_outside(l);
  } else {
    for_each_active([&](unsigned l) { signs |= sign_if_outside(l); });
  }
  if (signs >> 31 != 0) out_of_range(index, size);
  for (unsigned l = 0; l < kLanes; ++l) instruction_.addresses[l] = base + std::uint64_t{static_cast<std::uint32_t>(index.v[l])} * stride;
}

void Warp::add_ranks(const Lanes<int>& rank) {
  for_each_active([&](unsigned l) {
    const auto of = static_cast<std::uint32_t>(rank.v[l]);
    if (of >= cta_->cluster->shared.size())
      throw SimulationError(launch_.name + ", pc " + std::to_string(instruction_.pc) + ": lane " + std::to_string(l) +
                            " accesses shared memory of rank " + std::to_string(rank.v[l]) + " in a cluster of " +
                            std::to_string(cluster_size()) + " CTAs");
    instruction_.addresses[l] = cluster_address(of, instruction_.addresses[l]);
  });
}

void Warp::compute(Unit unit, std::uint16_t count, RegisterId destination, Sources sources, Site site) {
  if (passed_over_ != nullptr) {
    *passed_over_ += count;
    return;
  }
  prepare(unit, site, destination, sources);
  instruction_.repeat = count;
  issue();
}

void Warp::alu(double count, Site site) {
  if (const std::uint16_t n = due(count, {})) compute(Unit::alu, n, register_of(site), {}, site);
}

void Warp::branch(Sources sources, Site site) {
  if (sources.empty()) return;  // depends on indices alone, so the catalogue's counts include it
  owed_ -= 1000;
  compute(Unit::branch, 1, kNoRegister, sources, site);
}

void Warp::barrier(Site site) {
  prepare(Unit::barrier, site, kNoRegister, {});
  issue();
}

void Warp::cluster_arrive(Site site) {
  prepare(Unit::barrier, site, kNoRegister, {});
  instruction_.barrier = {0, 0, true, true};
  issue();
  instruction_.barrier = {};
}

void Warp::cluster_wait(Site site) {
  prepare(Unit::barrier, site, kNoRegister, {});
  instruction_.barrier = {0, 0, false, true};
  issue();
  instruction_.barrier = {};
}

void Warp::cluster_sync(Site site) {
  cluster_arrive(site);
  cluster_wait(site);
}

std::uint16_t Warp::due(double count, Sources sources) {
  owed_ += static_cast<std::int64_t>(count * translation_.alu_scale * 1000.0 + 0.5);
  std::int64_t whole = std::min<std::int64_t>(owed_ / 1000, 0xFFFF);
  if (whole <= 0) whole = sources.several() ? 1 : 0;
  owed_ -= whole * 1000;
  return static_cast<std::uint16_t>(whole);
}

std::byte* Warp::shared_bytes(std::uint32_t offset, std::uint64_t bytes) {
  if (offset + bytes > cta_->shared().size()) {
    throw std::logic_error(launch_.name + " uses " + std::to_string(offset + bytes) + " bytes of shared memory and declares " +
                           std::to_string(cta_->shared().size()));
  }
  return cta_->shared().data() + offset;
}

void Warp::out_of_range(const Lanes<int>& index, std::uint32_t size) const {
  unsigned lane = 0;
  for_each_active([&](unsigned l) {
    if (static_cast<std::uint32_t>(index.v[l]) >= size) lane = l;
  });
  throw SimulationError(launch_.name + ", pc " + std::to_string(instruction_.pc) + ": lane " + std::to_string(lane) + " accesses element " +
                        std::to_string(index.v[lane]) + " of an array of " + std::to_string(size));
}

}  // namespace wharf::spmd
