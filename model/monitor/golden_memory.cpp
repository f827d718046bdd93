#include "model/monitor/golden_memory.h"

namespace wharf {

namespace {

bool stores(AccessKind kind) { return kind == AccessKind::store || kind == AccessKind::atomic; }
bool loads(AccessKind kind) { return kind == AccessKind::load || kind == AccessKind::texture; }

bool answered_by_ordering_point(ServedBy served_by) {
  return served_by == ServedBy::l2 || served_by == ServedBy::ellc || served_by == ServedBy::dram;
}

}  // namespace

GoldenSmMonitor::GoldenSmMonitor(sc_core::sc_module_name name, GoldenMemory& golden) : PassThrough(name), golden_(golden) {}

tlm::tlm_sync_enum GoldenSmMonitor::nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  if (phase != tlm::BEGIN_REQ || Payload::behind(transaction) == nullptr) return PassThrough::nb_transport_fw(transaction, phase, time);
  Payload& payload = *Payload::behind(transaction);
  begin(payload);
  const tlm::tlm_sync_enum status = PassThrough::nb_transport_fw(transaction, phase, time);
  if (answered(status, phase)) answer(payload);
  return status;
}

tlm::tlm_sync_enum GoldenSmMonitor::nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  if (phase == tlm::BEGIN_RESP && Payload::behind(transaction) != nullptr) answer(*Payload::behind(transaction));
  return PassThrough::nb_transport_bw(transaction, phase, time);
}

void GoldenSmMonitor::begin(Payload& payload) {
  const Access& access = payload.access();
  if (stores(access.kind)) {
    const StoreId id = golden_.store_issued(access);
    for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) payload.versions()[sector] = (access.sectors >> sector & 1) != 0 ? id : 0;
  } else if (loads(access.kind)) {
    payload.versions().fill(kNoVersion);
    loads_[&payload] = golden_.load_issued(access);
  }
}

void GoldenSmMonitor::answer(Payload& payload) {
  const auto it = loads_.find(&payload);
  if (it == loads_.end()) return;
  const LoadTicket ticket = it->second;
  loads_.erase(it);
  golden_.check(payload.access(), ticket, payload.versions(), sc_core::sc_time_stamp().value());
}

GoldenOrderMonitor::GoldenOrderMonitor(sc_core::sc_module_name name, GoldenMemory& golden) : PassThrough(name), golden_(golden) {}

tlm::tlm_sync_enum GoldenOrderMonitor::nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                                       sc_core::sc_time& time) {
  if (phase != tlm::BEGIN_REQ || Payload::behind(transaction) == nullptr) return PassThrough::nb_transport_fw(transaction, phase, time);
  Payload& payload = *Payload::behind(transaction);
  arrive(payload, (sc_core::sc_time_stamp() + time).value());
  const tlm::tlm_sync_enum status = PassThrough::nb_transport_fw(transaction, phase, time);
  if (answered(status, phase)) answer(payload);
  return status;
}

tlm::tlm_sync_enum GoldenOrderMonitor::nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                                       sc_core::sc_time& time) {
  if (phase == tlm::BEGIN_RESP && Payload::behind(transaction) != nullptr) answer(*Payload::behind(transaction));
  return PassThrough::nb_transport_bw(transaction, phase, time);
}

void GoldenOrderMonitor::arrive(Payload& payload, Picoseconds at) {
  const Access& access = payload.access();
  if (stores(access.kind)) {
    golden_.ordered(payload.versions(), access.line, access.sectors, at, sc_core::sc_time_stamp().value());
  } else if (loads(access.kind)) {
    loads_[&payload] = golden_.load_arrived(access);
  }
}

void GoldenOrderMonitor::answer(Payload& payload) {
  const auto it = loads_.find(&payload);
  if (it == loads_.end()) return;
  const LoadTicket ticket = it->second;
  loads_.erase(it);
  if (answered_by_ordering_point(payload.reply().served_by)) golden_.check_arrived(payload.access(), ticket, payload.versions());
}

GoldenEntryMonitor::GoldenEntryMonitor(sc_core::sc_module_name name, GoldenMemory& golden) : PassThrough(name), golden_(golden) {}

tlm::tlm_sync_enum GoldenEntryMonitor::nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                                       sc_core::sc_time& time) {
  if (phase == tlm::BEGIN_REQ && Payload::behind(transaction) != nullptr) {
    Payload& payload = *Payload::behind(transaction);
    const Access& access = payload.access();
    if (stores(access.kind)) writes_[&payload] = payload.versions();
    if (loads(access.kind)) loads_[&payload] = golden_.load_entered(access);
  }
  return PassThrough::nb_transport_fw(transaction, phase, time);
}

tlm::tlm_sync_enum GoldenEntryMonitor::nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                                       sc_core::sc_time& time) {
  if (phase == tlm::BEGIN_RESP && Payload::behind(transaction) != nullptr) answer(*Payload::behind(transaction));
  return PassThrough::nb_transport_bw(transaction, phase, time);
}

void GoldenEntryMonitor::answer(Payload& payload) {
  if (const auto write = writes_.find(&payload); write != writes_.end()) {
    golden_.acknowledged(payload.access(), write->second);
    writes_.erase(write);
  }
  if (const auto load = loads_.find(&payload); load != loads_.end()) {
    golden_.check_entered(payload.access(), load->second, payload.versions());
    loads_.erase(load);
  }
}

}  // namespace wharf
