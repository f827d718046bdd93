#include "model/designs/morpheus/cache_mode/cache_mode_sm.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/error.h"
#include "model/network/flits.h"

namespace wharf {

namespace {

constexpr std::uint8_t kNoWarp = 0xFF;
constexpr unsigned kRows = 256;  // per partition

}  // namespace

CacheModeSm::CacheModeSm(sc_core::sc_module_name name, const EllcKernelParams& params, const Environment& environment)
    : sc_module(name),
      environment_(environment),
      spins_(params.delivery == Delivery::spin),
      clock_(environment.clock),
      group_(environment.registry, "ellc", static_cast<int>(environment.number)),
      kernel_(params, environment.kernel, group_),
      block_(clock_.add(*this)),
      input_("input", *this, 0),
      output_("output", clock_, 4 * params.warps(), *this, params.warps()) {
  for (unsigned warp = 0; warp < environment_.rows.size(); ++warp) {
    const std::size_t row = environment_.rows[warp].partition * kRows + environment_.rows[warp].row;
    if (warps_.size() <= row) warps_.resize(row + 1, kNoWarp);
    warps_[row] = static_cast<std::uint8_t>(warp);
  }
  if (spins_) clock_.wake(block_, 1);
}

bool CacheModeSm::message(unsigned, Payload& payload, Picoseconds at) {
  const Cycle arrived = clock_.cycle_at(at);
  const unsigned warp = warp_of(payload.message(), EllcWord::unpack(payload.message().tag));
  arrivals_.push_back({&payload, arrived, warp});
  kernel_.prefetch(warp, payload.access().line);
  clock_.wake(block_, std::max(arrived, clock_.present_cycle() + 1));
  return true;
}

void CacheModeSm::act(Cycle) {
  if (!arrivals_.empty() || spins_ != polls_) output_.look();
}

void CacheModeSm::start_polling(Cycle now) {
  polls_ = true;
  for (unsigned warp = 0; warp < environment_.rows.size(); ++warp) {
    const EllcRow& row = environment_.rows[warp];
    EllcSend first = kernel_.first_poll(warp, now);
    first.word.row = static_cast<std::uint8_t>(row.row);
    send(first, row);
  }
}

void CacheModeSm::after_sending(Cycle now) {
  if (spins_ != polls_) start_polling(now);
  auto later = arrivals_.begin();
  for (const Arrival& arrival : arrivals_) {
    if (arrival.cycle <= now)
      understand(arrival);
    else
      *later++ = arrival;
  }
  arrivals_.erase(later, arrivals_.end());
}

unsigned CacheModeSm::warp_of(const MessageHeader& header, const EllcWord& word) const {
  const std::size_t row = (header.source - environment_.first_slice) / environment_.banks * kRows + word.row;
  if (header.source < environment_.first_slice || row >= warps_.size() || warps_[row] == kNoWarp)
    throw SimulationError(group_.path() + " has received a message from endpoint " + std::to_string(header.source) + " for row " +
                          std::to_string(word.row) + ", which none of its warps serves");
  return warps_[row];
}

void CacheModeSm::understand(const Arrival& arrival) {
  Payload& payload = *arrival.payload;
  const MessageHeader& header = payload.message();
  const EllcWord word = EllcWord::unpack(header.tag);
  const bool polled = header.kind == MessageKind::ellc_poll;
  if (polled && !environment_.running()) {
    payload.release();
    return;
  }
  const unsigned warp = arrival.warp;
  const EllcRow& row = environment_.rows[warp];
  const bool fill = header.kind == MessageKind::ellc_fill;
  if (!fill && !polled) count_bytes(header);
  for (const EllcSend& each : kernel_.arrived(warp, header.kind, word, payload.transaction(), arrival.cycle)) send(each, row);
  if (environment_.report)
    for (const EllcChange& change : kernel_.changes()) environment_.report(row, change);
  if (fill) payload.release();
}

void CacheModeSm::send(const EllcSend& send, const EllcRow& row) {
  Payload* payload = send.carrier != nullptr ? &Payload::of(*send.carrier) : nullptr;
  if (payload == nullptr) {
    Access access;
    access.line = send.line;
    access.sm = static_cast<std::uint16_t>(environment_.endpoint);
    if (send.kind == MessageKind::ellc_writeback) {
      access.kind = AccessKind::store;
      access.sectors = access.covered = send.sectors;
    }
    payload = &(send.kind == MessageKind::ellc_poll ? environment_.polls : environment_.pool).acquire(access);
    payload->versions() = send.versions;
  }
  payload->stages().claim_to(Stage::peer, clock_.edge(send.ready));
  MessageHeader& header = payload->message();
  header.source = static_cast<std::uint16_t>(environment_.endpoint);
  header.destination =
      static_cast<std::uint16_t>(environment_.first_slice + row.partition * environment_.banks + row.row % environment_.banks);
  header.traffic = Traffic::from_ellc;
  header.kind = send.kind;
  header.flits = static_cast<std::uint8_t>(network::flits_of(ellc_payload_bytes(send.kind, send.word), environment_.flit_bytes));
  header.tag = send.word.pack();
  if (send.kind == MessageKind::ellc_result) count_bytes(header);
  output_.add(payload->transaction(), send.ready);
}

void CacheModeSm::inspect(std::vector<Wait>& waits) const {
  const std::string path = group_.path();
  if (!output_.queue().empty() && output_.queue().front().message.kind != MessageKind::ellc_poll) {
    const Access& access = output_.queue().front().access;
    waits.push_back({path + ".output", path + ".to_network", access.id, access.line.byte_address(), access.issue_cycle});
  }
  for (unsigned warp = 0; warp < environment_.rows.size(); ++warp)
    if (const Access* access = kernel_.unfinished(warp)) {
      const std::string holder = path + ".warp[" + std::to_string(warp) + "]";
      waits.push_back({holder, "morpheus[" + std::to_string(environment_.rows[warp].partition) + "]", access->id,
                       access->line.byte_address(), access->issue_cycle});
    }
}

void CacheModeSm::archive(Archive& file) {
  if (spins_) Archive::refuse("morpheus.kernel.delivery: spin");  // its loads of rows never finish
  file.expect_quiet(arrivals_.empty(), group_.path());
  file(output_, kernel_);
}

}  // namespace wharf
