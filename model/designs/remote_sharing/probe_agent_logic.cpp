#include "model/designs/remote_sharing/probe_agent_logic.h"

#include <algorithm>

#include "model/base/archive.h"

namespace wharf {

namespace {

/// The random sub-stream of an SM that draws with probability P (RS-21).
constexpr std::uint64_t kProbabilityStream = 0x9E0B'0000;

std::unique_ptr<SharingPredictor> predictor_of(const RemoteSharingParams& params, const ProbeAgentLogic::Environment& environment) {
  return make_sharing_predictor(params.predictor,
                                {params.oracle_precision_percent, params.pc_two_bit, params.hint_pcs, environment.seed, environment.self});
}

/// A selector numbers the SMs of its cluster from 0.
std::unique_ptr<CoreSelector> selector_of(const RemoteSharingParams& params, const ProbeAgentLogic::Environment& environment) {
  const auto [first, cores] = environment.cluster;
  std::vector<std::uint16_t> hops = environment.hops;
  if (hops.size() == environment.sms) hops = {hops.begin() + first, hops.begin() + first + cores};
  return make_core_selector(params.selector, {cores, environment.self - first, params.supplier, hops, environment.seed});
}

}  // namespace

ProbeAgentLogic::ProbeAgentLogic(const RemoteSharingParams& params, const Environment& environment, ProbeCounters& counters,
                                 TransactionStock& stock, ProbePool& bodies)
    : params_(params),
      self_(environment.self),
      sms_(environment.sms),
      targets_(params.targets(environment.cluster.size)),
      cluster_(environment.cluster),
      hops_(environment.hops),
      peers_(environment.peers),
      pcs_(environment.pcs),
      counters_(counters),
      predictor_(predictor_of(params, environment)),
      selector_(selector_of(params, environment)),
      random_(environment.seed, kProbabilityStream + environment.self),
      requester_(params, environment.self, environment.misses, counters, stock, bodies),
      supplier_(params.queues, counters) {}

void ProbeAgentLogic::request(Transaction& request, const HolderMask& holders, Cycle now) {
  const Access& access = request.access;
  request.message.tag = 0;
  const bool forbids = params_.probe_after_own_store == AfterOwnStore::forbid;
  if (forbids && (access.kind == AccessKind::store || access.kind == AccessKind::atomic)) written_.insert(access.line);
  if (!is_searchable(access)) {
    direct_ = &request;
    return;
  }
  ++counters_.misses;
  fresh_ = &request;
  fresh_holders_ = holders;
  fresh_holders_.restrict_to(cluster_.first, cluster_.size);
  fresh_holders_.reset(self_);
  if (pcs_ != nullptr) pcs_->missed(access.pc, !fresh_holders_.none());
  const bool can_search = !forbids || !written_.contains(access.line);
  fresh_perfect_ = params_.scheme == SharingScheme::perfect && can_search && !fresh_holders_.none();
  if (params_.searches()) {
    const bool held = !fresh_holders_.none();
    const SharingPredictor::Answer answer = predictor_->predict({access.pc, held});
    count_prediction(answer.shared, held);
    request.message.tag = answer.ticket.packed();
    if (answer.shared && can_search && search(request, fresh_holders_, now)) return;
  }
  direct_ = &request;
}

void ProbeAgentLogic::count_prediction(bool shared, bool held) {
  if (shared)
    ++(held ? counters_.true_positive : counters_.false_positive);
  else
    ++(held ? counters_.false_negative : counters_.true_negative);
}

/// Returns false if no probe is sent: the draw says none, or there is no target.
bool ProbeAgentLogic::search(Transaction& miss, const HolderMask& holders, Cycle now) {
  unsigned probes = params_.probes;
  if (params_.probability < 1.0 && !random_.chance(params_.probability)) --probes;
  if (probes == 0) return false;
  CoreList targets;
  selector_->select(targets_, holders.from(cluster_.first), now, targets);
  if (targets.count == 0) return false;
  for (unsigned i = 0; i < targets.count; ++i) targets.cores[i] = static_cast<std::uint8_t>(targets.cores[i] + cluster_.first);
  requester_.search(miss, targets, std::min(probes, targets.count), now);
  return true;
}

unsigned ProbeAgentLogic::nearest(const HolderMask& holders) const {
  unsigned best = self_;
  for (unsigned core = 0; core < sms_; ++core)
    if (holders.test(core) && (best == self_ || hops_[core] < hops_[best])) best = core;
  return best;
}

Transaction* ProbeAgentLogic::finish_miss() {
  Transaction* miss = fresh_;
  fresh_ = nullptr;
  if (miss == nullptr || peers_ == nullptr || fresh_holders_.none()) return nullptr;
  SectorVersions versions;
  std::uint32_t cta = 0;
  if (peers_->find_sectors(nearest(fresh_holders_), miss->access, versions, cta)) {
    const std::uint32_t distance = cta > miss->access.cta ? cta - miss->access.cta : miss->access.cta - cta;
    ++(distance <= params_.near_ctas ? counters_.cta_near : counters_.cta_far);
  }
  if (!fresh_perfect_) return nullptr;
  bool filled = false;
  for (unsigned core = 0; core < sms_; ++core) {
    if (!fresh_holders_.test(core) || !peers_->find_sectors(core, miss->access, versions, cta)) continue;
    if (!filled) miss->versions = versions;
    filled = true;
    peers_->count_supplier(core);
  }
  if (!filled) return nullptr;
  direct_ = nullptr;
  miss->reply.served_by = ServedBy::peer;
  ++counters_.peer_replies;
  ++counters_.filled_by_peer;
  count_peer_fill(miss->access);
  return miss;
}

Transaction* ProbeAgentLogic::reply(Transaction& message, Cycle now) {
  switch (message.message.kind) {
    case MessageKind::peer_reply:
      if (params_.searches()) selector_->replied(message.message.source - cluster_.first, now);
      if (message.body != nullptr) return filled(requester_.supplied(message), true);
      ++counters_.peer_replies;
      ++counters_.filled_by_peer;
      count_peer_fill(message.access);
      return &message;
    case MessageKind::probe_return:
      requester_.returned(message, now);
      return nullptr;
    case MessageKind::forward_return:
      message.next = turned_back_;
      turned_back_ = &message;
      return nullptr;
    default:
      break;
  }
  if (!is_searchable(message.access) || !params_.searches()) return &message;
  return filled((message.message.tag & ProbeRequesterLogic::kTracked) != 0 ? requester_.served(message) : &message, false);
}

/// Trains the predictor with the outcome of a primary read miss.
Transaction* ProbeAgentLogic::filled(Transaction* miss, bool from_core) {
  if (miss == nullptr) return nullptr;
  predictor_->filled(SharingPredictor::Ticket::of(miss->message.tag), from_core);
  if (from_core) count_peer_fill(miss->access);
  return miss;
}

void ProbeAgentLogic::count_peer_fill(const Access& miss) {
  if (pcs_ != nullptr) pcs_->filled(miss.pc);
}

void ProbeAgentLogic::kernel_started(bool concurrent) {
  if (!concurrent) written_.clear();
  predictor_->kernel_started();
}

void ProbeAgentLogic::archive(Archive& file) {
  file.expect_quiet(!injectable() && fresh_ == nullptr && supplier_.idle(), "agent[" + std::to_string(self_) + "]");
  if (!predictor_->archive(file)) Archive::refuse("remote_sharing.predictor: " + params_.predictor);
  if (!selector_->archive(file)) Archive::refuse("remote_sharing.selector: " + params_.selector);
  file(random_, requester_, written_);
}

bool ProbeAgentLogic::injectable() const {
  return direct_ != nullptr || turned_back_ != nullptr || requester_.selective() != nullptr || requester_.processed_nack() != nullptr ||
         requester_.outgoing() != nullptr;
}

ProbeAgentLogic::Injection ProbeAgentLogic::inject(bool to_l2, bool to_peers, Cycle now) {
  if (Transaction* t = to_peers ? supplier_.deflected(now) : nullptr) {
    supplier_.pop_deflected(now);
    return {t, InjectionClass::deflected};
  }
  if (to_l2 && direct_ != nullptr) {
    Transaction* t = direct_;
    direct_ = nullptr;
    return {t, InjectionClass::non_shared};
  }
  if (Transaction* t = to_l2 ? requester_.selective() : nullptr) {
    requester_.pop_selective();
    return {t, InjectionClass::selective_l2};
  }
  if (Transaction* t = to_peers ? supplier_.forwarded(now) : nullptr) {
    supplier_.pop_forwarded(now);
    return {t, InjectionClass::forwarded};
  }
  if (Transaction* t = to_l2 ? requester_.processed_nack() : nullptr) {
    requester_.pop_processed_nack(now);
    return {t, InjectionClass::processed_nack};
  }
  if (to_l2 && turned_back_ != nullptr) {
    Transaction* t = turned_back_;
    turned_back_ = t->next;
    return {t, InjectionClass::processed_nack};
  }
  if (Transaction* t = to_peers ? requester_.outgoing() : nullptr) {
    requester_.pop_outgoing(now);
    return {t, InjectionClass::outgoing};
  }
  return {};
}

}  // namespace wharf
