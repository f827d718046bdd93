#include "model/designs/morpheus/controller/morpheus_controller.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/error.h"
#include "model/designs/morpheus/controller/hit_predictor_unit.h"
#include "model/network/flits.h"

namespace wharf {

namespace {
/// Arrived messages of a cache-mode SM that may wait until the next cycle.
constexpr std::uint32_t kArrivals = 4;
}  // namespace

MorpheusController::Bank::Bank(const std::string& name, MorpheusController& owner, unsigned number, const L2Params& l2)
    : port(name, owner, number, owner.clock_, owner.block_, owner.pool_.contents()),
      requests(l2.input_queue, l2.access_cycles),
      results(kArrivals),
      homes(requests.capacity() + 1) {
  if (owner.rows_.empty()) return;
  MessageSource& source = owner;
  MessageSink& sink = owner;
  to_sms = std::make_unique<MessageSourcePort>(name + "_to_sms", source, number);
  from_sms = std::make_unique<MessageSinkPort>(name + "_from_sms", sink, number);
}

MorpheusController::MorpheusController(sc_core::sc_module_name name, const MorpheusParams& params, const L2Params& l2, unsigned number,
                                       const Environment& environment)
    : sc_module(name),
      l2_(l2),
      clock_(environment.clock),
      pool_(environment.pool),
      addresses_(environment.addresses),
      directory_(environment.directory),
      rows_(environment.geometry.rows(number)),
      number_(number),
      first_cache_sm_(environment.first_cache_sm),
      first_slice_(environment.first_slice + number * params.banks_per_partition),
      flit_bytes_(environment.flit_bytes),
      verify_(environment.verify),
      holds_up_(params.holds_up),
      in_set_(environment.in_set),
      separator_(rows_, params.banks_per_partition * (l2.slice_kib * 1024 / kLineBytes)),
      group_(environment.registry, "morpheus", static_cast<int>(number)),
      logic_(params,
             {number, rows_, environment.directory, environment.stop_at_false_negatives, environment.kernel_of, l2.sectored, l2.write_miss},
             *this, group_),
      block_(clock_.add(*this)) {
  for (unsigned i = 0; i < params.banks_per_partition; ++i)
    banks_.push_back(std::make_unique<Bank>("bank" + std::to_string(i), *this, i, l2));
  if (rows_.empty()) return;
  predictor_ = std::make_unique<LookupInitiatorPort>("predictor");
  for (unsigned i = 0; i < params.banks_per_partition / environment.slices_per_channel; ++i)
    dram_.push_back(std::make_unique<DramPort>("dram" + std::to_string(i), clock_, block_, l2.miss_queue, l2.dram_extra_cycles));
}

Acceptance MorpheusController::divert(unsigned index, Payload& payload, Picoseconds at) {
  const LineAddress line = payload.access().line;
  const AddressSeparator::Home home = rows_.empty() ? AddressSeparator::Home{} : home_of(line);
  if (!home.extended) {
    ++logic_.counters().conventional;
    return Acceptance::completed;
  }
  push_home(*banks_[index], {line, home.row, home.tag});
  RequestQueue& requests = banks_[index]->requests;
  const Cycle present = clock_.present_cycle();
  with_requests_ |= Banks{1} << index;
  const Acceptance acceptance = requests.offer(payload, clock_.cycle_at(at), l2_.access_cycles - 1, present);
  if (acceptance == Acceptance::pending) {
    admitting_ |= Banks{1} << index;
    clock_.wake(block_, present + 1);
  } else if (requests.size() == 1) {
    clock_.wake(block_, std::max(requests.next_ready(), present + 1));
  }
  return acceptance;
}

void MorpheusController::push_home(Bank& bank, const Home& home) { bank.homes.push(home); }

bool MorpheusController::message(unsigned index, Payload& payload, Picoseconds at) {
  const Cycle arrived = clock_.cycle_at(at), present = clock_.present_cycle();
  const bool taken = banks_[index]->results.offer(payload, arrived, 0, present) == Acceptance::accepted;
  with_results_ |= Banks{1} << index;
  if (!taken) admitting_ |= Banks{1} << index;
  logic_.prefetch(payload.access().line, EllcWord::unpack(payload.message().tag).row);
  clock_.wake(block_, std::max(taken ? arrived : 0, present + 1));
  return taken;
}

void MorpheusController::act(Cycle now) {
  moved_ = changed_;
  changed_ = false;
  for (const std::uint8_t row : unchecked_) check_row(row);
  unchecked_.clear();
  admit_pending(now);
  if (!logic_.by_rate()) return work(now);
  acted_ = now;
  clock_.request_commit(*this);
}

void MorpheusController::work(Cycle now) {
  // Requests that wait in MSHRs are older than new ones.
  if (logic_.waiting()) changed_ |= logic_.serve_arrived();
  decide(now);
  receive_results(now);
  receive_lines(now);
  changed_ |= logic_.dispatch(now);
  logic_.answer_polls(now);
  send_messages(now);
  for (const auto& dram : dram_) changed_ |= dram->send(now);
  sleep(now);
}

void MorpheusController::admit_pending(Cycle now) {
  for_each(admitting_, [&](Bank& bank, Banks bit) {
    admitting_ &= ~bit;
    admit_pending(bank, now);
    const bool left = bank.message_taken != kNever || bank.requests.waiting() || bank.results.waiting() || bank.port.to_admit();
    if (left) admitting_ |= bit;
  });
  for (const auto& dram : dram_) dram->admit_pending(now);
}

void MorpheusController::admit_pending(Bank& bank, Cycle now) {
  bank.port.admit(now);
  if (bank.message_taken <= now) {
    bank.message_taken = kNever;
    message_left(bank);
  }
  Cycle end;
  if (bank.requests.waiting())
    if (Payload* accepted = bank.requests.admit_pending(now, end)) {
      accepted->stages().claim_to(Stage::l2_queue, present());
      bank.port.accept(*accepted, clock_.delay(end - now));
    }
  if (bank.results.waiting())
    if (Payload* accepted = bank.results.admit_pending(now, end)) bank.from_sms->accept(*accepted, clock_.delay(end - now));
}

/// Decides the oldest requests of all banks, at most as many as there are banks. Among requests of one cycle, the lower bank's counts as
/// older. A refused request is retried only if something has progressed, or if it waits for room for an acknowledgement. The cycles between
/// count for the same cause.
void MorpheusController::decide(Cycle now) {
  const bool again = moved_ || changed_ || clock_.ticking() || refused_ == &logic_.counters().reply_full;
  if (again) refused_banks_ = 0;
  if (refused_banks_ != 0 && holds_up_ == HoldsUp::partition) return;
  count_refused(refused_banks_ != 0 ? now : now - 1);
  stats::Counter* cause = refused_banks_ != 0 ? refused_ : nullptr;
  for (unsigned n = 0; n < banks_.size(); ++n) {
    Bank* oldest = nullptr;
    Banks which = 0;
    for_each(with_requests_ & ~refused_banks_, [&](Bank& bank, Banks bit) {
      if (!bank.requests.ready(now) || (oldest != nullptr && bank.requests.next_ready() >= oldest->requests.next_ready())) return;
      oldest = &bank;
      which = bit;
    });
    if (oldest == nullptr) break;
    stats::Counter* const refused = try_front(*oldest, now);
    changed_ |= refused == nullptr;
    if (refused == nullptr) continue;
    refused_banks_ |= which;
    if (cause == nullptr) ++*(cause = refused);
    if (holds_up_ == HoldsUp::partition) break;
  }
  stall(cause, now);
}

void MorpheusController::stall(stats::Counter* cause, Cycle now) {
  if (cause != nullptr) {
    if (refused_ == nullptr) stalled_since_ = now;
    stalled_until_ = kNever;
  } else if (refused_ != nullptr) {
    stalled_until_ = now;
  }
  refused_ = cause;
  counted_to_ = now;
}

stats::Counter* MorpheusController::try_front(Bank& bank, Cycle now) {
  Payload& payload = bank.requests.front();
  // Only an acknowledgement is sent at once. Other answers are sent later and wait at their source.
  const bool answers = holds_up_ == HoldsUp::partition || payload.access().kind == AccessKind::store;
  if (answers && bank.port.replies() >= l2_.reply_queue) return &logic_.counters().reply_full;
  payload.stages().claim_to(Stage::l2, clock_.edge(bank.requests.next_ready() + 1));
  payload.stages().claim_to(Stage::l2_queue, present() + clock_.delay(1));
  const Home& home = bank.homes.front();
  if (stats::Counter* cause = logic_.decide(payload.transaction(), home.row, home.tag, now)) return cause;
  bank.requests.pop(now);
  bank.homes.pop();
  if (const Home& next = bank.homes.front(); !bank.requests.empty()) logic_.prefetch(next.line, next.row);
  return nullptr;
}

void MorpheusController::count_refused(Cycle last) {
  if (refused_ != nullptr) *refused_ += last - counted_to_;
  counted_to_ = last;
}

void MorpheusController::receive_results(Cycle now) {
  for_each(with_results_, [&](Bank& bank, Banks) {
    while (bank.results.ready(now) && receive_result(bank, now)) changed_ = true;
  });
}

/// Returns false if the message must wait for DRAM, or for the read data buffer, which drains into the reply network.
bool MorpheusController::receive_result(Bank& bank, Cycle now) {
  Payload& payload = bank.results.front();
  const EllcWord word = EllcWord::unpack(payload.message().tag);
  const MessageKind kind = payload.message().kind;
  const bool to_dram = kind == MessageKind::ellc_result ? word.result == EllcResult::miss : kind != MessageKind::ellc_poll;
  if (to_dram && !dram_room(payload.access().line)) return false;
  if (kind == MessageKind::ellc_result && !logic_.result_fits(word)) {
    bank.buffer_wait_from = std::min(bank.buffer_wait_from, now);
    return false;
  }
  if (bank.buffer_wait_from != kNever) logic_.counters().read_buffer_full += now - bank.buffer_wait_from;
  bank.buffer_wait_from = kNever;
  Transaction& message = bank.results.pop(now).transaction();
  switch (kind) {
    case MessageKind::ellc_result:
      logic_.result(message, now);
      break;
    case MessageKind::ellc_poll:
      logic_.polled(message);
      break;
    case MessageKind::ellc_fetch:
      logic_.fetch(message);
      break;
    case MessageKind::ellc_writeback:
      write_back(message);
      break;
    default:
      throw SimulationError(std::string(name()) + ": a cache-mode SM has sent a kind of message that no controller receives");
  }
  return true;
}

void MorpheusController::write_back(Transaction& message) {
  ++logic_.counters().writebacks;
  logic_.written_back(EllcWord::unpack(message.message.tag).row, message.access.line);
  Access access = message.access;
  access.kind = AccessKind::store;
  Payload& store = pool_.acquire(access);
  store.versions() = message.versions;
  dram_[channel_of(access.line)]->add(store);
  release(message);
}

void MorpheusController::receive_lines(Cycle now) {
  for (const auto& dram : dram_) {
    if (!dram->line_ready(now)) continue;
    const Picoseconds arrived = dram->line_arrived();
    Payload& reply = dram->pop_line(now);
    reply.stages().claim_to(Stage::dram, arrived);
    reply.stages().claim_to(Stage::l2_queue, present());
    logic_.filled(reply.transaction(), now);
    reply.release();
    changed_ = true;
  }
}

/// Sends at most one message per bank and cycle.
void MorpheusController::send_messages(Cycle) {
  for_each(with_messages_, [&](Bank& bank, Banks bit) {
    if (bank.messages.empty()) with_messages_ &= ~bit;
    if (bank.messages.empty() || bank.message_blocked) return;
    Transaction& message = *bank.messages.front();
    message.stages.claim_to(Stage::queueing, present() + clock_.delay(1));
    bank.message_blocked = true;
    bank.offered = message.message;
    if (bank.to_sms->post(Payload::of(message), clock_.delay(1))) message_left(bank);
  });
}

/// Frees the message's buffer entries when the network has accepted it.
void MorpheusController::posted(unsigned index, Picoseconds at) {
  const Cycle taken = std::max(clock_.cycle_at(at), clock_.present_cycle() + 1);
  banks_[index]->message_taken = taken;
  admitting_ |= Banks{1} << index;
  clock_.wake(block_, taken);
}

void MorpheusController::message_left(Bank& bank) {
  if (bank.offered.kind == MessageKind::ellc_request) {
    logic_.injected(EllcWord::unpack(bank.offered.tag));
    logic_.note_sent(*bank.messages.front());
  }
  bank.messages.erase(bank.messages.begin());
  bank.message_blocked = false;
  changed_ = true;
}

void MorpheusController::sleep(Cycle now) {
  bool contends = false;
  Cycle next = next_of_banks(now, contends);
  for (const auto& dram : dram_) next = std::min(next, dram->next(now));
  if (changed_) next = now + 1;
  if (contends && !logic_.by_rate()) clock_.request_commit(*this);  // by rate, commit() is requested anyway
  if (next != kNever) clock_.wake(block_, std::max(next, now + 1));
}

/// Returns the banks' next cycle with work. Also removes idle banks from the sets.
Cycle MorpheusController::next_of_banks(Cycle now, bool& contends) {
  Cycle next = kNever;
  for_each(with_requests_, [&](Bank& bank, Banks bit) {
    if (refused_ == nullptr || (holds_up_ == HoldsUp::bank && (refused_banks_ & bit) == 0))
      next = std::min(next, bank.requests.next_ready());
    if (bank.requests.admits_after(now)) next = now + 1;
    if (bank.requests.empty() && !bank.requests.waiting()) with_requests_ &= ~bit;
  });
  for_each(with_results_, [&](Bank& bank, Banks bit) {
    if (bank.results.next_ready() > now) next = std::min(next, bank.results.next_ready());
    if (bank.results.admits_after(now)) next = now + 1;
    if (bank.results.empty() && !bank.results.waiting()) with_results_ &= ~bit;
  });
  for_each(with_messages_, [&](Bank& bank, Banks) {
    if (!bank.messages.empty() && !bank.message_blocked) next = now + 1;
  });
  for_each(ports_, [&](Bank& bank, Banks bit) {
    if (bank.port.held() != nullptr && refused_ == nullptr) next = now + 1;
    next = std::min(next, bank.port.next(now));
    contends |= bank.port.contends(now);
    if (bank.port.quiet()) ports_ &= ~bit;
  });
  return next;
}

void MorpheusController::commit() {
  if (logic_.by_rate() && acted_ == clock_.now()) {
    acted_ = kNever;
    work(clock_.now());
  }
  for_each(ports_, [&](Bank& bank, Banks) { bank.port.commit(clock_.now()); });
}

void MorpheusController::buffered_reply_left() {
  logic_.free_read_buffer_entry();
  clock_.wake(block_, clock_.present_cycle() + 1);
}

bool MorpheusController::predicts_hit(const EllcOperation& operation) {
  PredictorWord word{operation.row, operation.tag, false, false};
  predictor_->read(operation.line.byte_address(), word);
  return word.hit;
}

void MorpheusController::accessed(const EllcOperation& operation, bool all_touched) {
  predictor_->write(operation.line.byte_address(), PredictorWord{operation.row, operation.tag, false, all_touched});
}

void MorpheusController::answer(Transaction& request, const Transaction* source, Answer how) {
  const Cycle now = clock_.now();
  Cycle ready = now;
  if (source != nullptr) request.served(*source, present());
  if (how == Answer::from_dram) {
    ready += l2_.fill_cycles - 1;
    request.stages.claim_to(Stage::l2, present() + clock_.delay(l2_.fill_cycles));
  } else if (how != Answer::ack) {
    if (!source->stages.counted()) request.stages.claim_to(Stage::peer, present());
    request.stages.claim_to(Stage::l2_queue, present() + clock_.delay(1));
  }
  const unsigned bank = addresses_.locate(request.access.line.byte_address()).slice % banks();
  banks_[bank]->port.answer(Payload::of(request), ready, how == Answer::from_buffer);
}

void MorpheusController::read_dram(const Transaction& cause, std::uint32_t code, SectorMask sectors) {
  Access fetch = cause.access;
  fetch.kind = AccessKind::load;
  fetch.sectors = sectors;
  fetch.covered = 0;
  fetch.slot = code;
  Payload& request = pool_.acquire(fetch);
  request.stages() = cause.stages;
  dram_[channel_of(fetch.line)]->add(request);
}

/// Each row uses the port of one bank of its partition, which keeps the messages of a set in order.
void MorpheusController::send(Transaction& message, MessageKind kind, const EllcWord& word) {
  if (verify_ && kind == MessageKind::ellc_request) unchecked_.push_back(word.row);
  const unsigned bank = word.row % banks();
  MessageHeader& header = message.message;
  header = {};
  header.source = static_cast<std::uint16_t>(first_slice_ + bank);
  header.destination = static_cast<std::uint16_t>(first_cache_sm_ + rows_[word.row].cache_sm);
  header.traffic = Traffic::to_ellc;
  header.kind = kind;
  header.flits = static_cast<std::uint8_t>(network::flits_of(ellc_payload_bytes(kind, word), flit_bytes_));
  header.tag = word.pack();
  banks_[bank]->messages.push_back(&message);
  with_messages_ |= Banks{1} << bank;
}

/// Checks 2 and 3 of morpheus section 14: a set holds only lines that belong there, and the predictor knows all of them.
void MorpheusController::check_row(unsigned row) {
  for (const LineAddress line : directory_.lines(number_, row)) {
    if (logic_.misses().find(line) != EllcMisses::kNone) continue;  // the predictor is not consulted
    const AddressSeparator::Home home = home_of(line);
    PredictorWord word{home.row, home.tag, false, false};
    predictor_->read(line.byte_address(), word);
    const bool at_home = home.extended && home.row == row;
    if (at_home && word.hit) continue;
    throw SimulationError(std::string(name()) + ": line " + std::to_string(line.number) + " is in row " + std::to_string(row) +
                          (at_home ? ", and the hit predictor would miss it" : ", where it does not belong"));
  }
}

void MorpheusController::archive(Archive& file) {
  bool quiet = refused_ == nullptr;
  for (const auto& bank : banks_) {
    quiet = quiet && bank->requests.empty() && !bank->requests.waiting() && bank->results.empty() && !bank->results.waiting() &&
            bank->messages.empty() && !bank->message_blocked;
    file(bank->port, bank->message_taken, bank->buffer_wait_from);
  }
  for (const auto& dram : dram_) file(*dram);
  file.expect_quiet(quiet, group_.path());
  file(logic_, counted_to_, acted_, stalled_since_, stalled_until_, changed_, moved_);
  file(refused_banks_, ports_, admitting_, with_requests_, with_results_, with_messages_, unchecked_);
}

}  // namespace wharf
