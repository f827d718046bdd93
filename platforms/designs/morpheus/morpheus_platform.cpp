#include "platforms/designs/morpheus/morpheus_platform.h"

#include "model/base/archive.h"

namespace wharf {

namespace {

TrafficPlan traffic_of(const GpuParams& params) {
  TrafficPlan plan;
  plan.extended_llc = params.cache_sms() != 0;
  return plan;
}

}  // namespace

MorpheusPlatform::MorpheusPlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                                   RunObserver& observer)
    : MorpheusParts(params), PrivatePlatform(params, options, stimulus, registry, observer, {{}, traffic_of(params), true}) {
  connect_slices(traffic_of(params), [this](unsigned slice) -> tlm::tlm_target_socket<>& { return before_slice(slice); });
  if (params.cache_sms() == 0) return;
  for (unsigned partition = 0; partition < partitions(params); ++partition) connect_controller(partition);
  for (unsigned i = 0; i < params.cache_sms(); ++i) build_cache_sm(i, stimulus);
  if (params.network.entry().has_all_sockets) close_unused_ports();
}

void MorpheusPlatform::close_unused_ports() {
  for (unsigned sm = 0; sm < params_.sms - params_.cache_sms(); ++sm) {
    unused_ports.push_back(std::make_unique<UnusedPorts>(numbered("unused_ellc_ports_", sm).c_str()));
    connect_messages(interconnect_->output(sm, Traffic::to_ellc), unused_ports.back()->from_network.socket, numbered("unused_out_", sm));
    connect_messages(unused_ports.back()->to_network.socket, interconnect_->input(sm, Traffic::from_ellc), numbered("unused_in_", sm));
  }
}

tlm::tlm_target_socket<>& MorpheusPlatform::before_slice(unsigned slice) {
  const unsigned banks = morpheus_.banks_per_partition, bank = slice % banks;
  if (bank == 0) build_controller(slice / banks);
  BankPort& port = controllers.back()->bank(bank);
  connect(port.downstream(), slices_[slice]->upstream(), numbered("controller_to_l2_", slice));
  return port.upstream();
}

void MorpheusPlatform::build_controller(unsigned partition) {
  const unsigned compute_sms = params_.sms - params_.cache_sms();
  const MorpheusController::Environment environment{*l2_clock_,
                                                    pool_,
                                                    registry_,
                                                    *addresses_,
                                                    geometry,
                                                    residents,
                                                    params_.slices_per_channel,
                                                    compute_sms,
                                                    params_.sms,
                                                    interconnect_->flit_bytes(),
                                                    options_.verify,
                                                    true,
                                                    [this](const EllcSet& set, LineAddress line, SectorVersions& versions) {
                                                      const EllcBlocks& blocks = cache_sms[set.cache_sm]->kernel().blocks(set.warp);
                                                      const EllcBlocks::Slot slot = blocks.find(line);
                                                      if (slot == EllcBlocks::kNone) return SectorMask{0};
                                                      versions = blocks[slot].versions;
                                                      return blocks[slot].valid;
                                                    },
                                                    [this](unsigned sm) -> EllcKernel& { return cache_sms[sm]->kernel(); }};
  controllers.push_back(std::make_unique<MorpheusController>(numbered("morpheus_controller", partition).c_str(), morpheus_,
                                                             params_.built_l2(), partition, environment));
  watch(*controllers.back());
}

void MorpheusPlatform::connect_controller(unsigned partition) {
  MorpheusController& controller = *controllers[partition];
  HitPredictorOptions options;
  options.bloom = morpheus_.bloom;
  for (const EllcSet& set : geometry.rows(partition))
    options.associativity.push_back(morpheus_.kernel.compresses(set.unit) ? 0 : set.blocks);
  options.resident = [this](LineAddress line) { return residents.resident(line); };
  const auto make = [&] { return make_hit_predictor(morpheus_.hit_predictor, options); };
  predictors.push_back(
      std::make_unique<HitPredictorUnit>(numbered("hit_predictor", partition).c_str(), make, partition, *l2_clock_, registry_));
  connect_messages(controller.predictor(), predictors.back()->port(), numbered("controller_to_predictor_", partition), LinkKind::lookup);
  for (unsigned bank = 0; bank < controller.banks(); ++bank) {
    const unsigned slice = partition * controller.banks() + bank, node = params_.sms + slice;
    connect_messages(controller.to_sms(bank), interconnect_->input(node, Traffic::to_ellc), numbered("to_ellc_in", slice));
    connect_messages(interconnect_->output(node, Traffic::from_ellc), controller.from_sms(bank), numbered("from_ellc_out", slice));
  }
  for (unsigned i = 0; i < controller.channels(); ++i) {
    const unsigned channel = partition * controller.channels() + i;
    connect(controller.dram(i), channels_[channel]->upstream(params_.slices_per_channel), numbered("controller_to_dram", channel));
  }
}

void MorpheusPlatform::build_cache_sm(unsigned number, Stimulus& stimulus) {
  const unsigned endpoint = params_.sms - params_.cache_sms() + number;
  std::vector<EllcRow> rows;
  for (unsigned warp = 0; warp < morpheus_.kernel.warps(); ++warp) {
    const EllcGeometry::Place place = geometry.place(number, warp);
    rows.push_back({place.partition, place.row});
  }
  const CacheModeSm::Environment environment{
      *core_,
      pool_,
      polls,
      registry_,
      number,
      endpoint,
      params_.sms,
      morpheus_.banks_per_partition,
      interconnect_->flit_bytes(),
      rows,
      {params_.clock_mhz.core, morpheus_.miss_fetch, keeps_versions(), options_.seed,
       [&stimulus](LineAddress line, LineBytes& bytes) { return stimulus.contents(line, bytes); }},
      [this](const EllcRow& row, const EllcChange& change) { residents.report(row.partition, row.row, change.line, change.here); },
      [this] { return !front_end_->done() || !pool_.idle_before(present()); }};
  cache_sms.push_back(std::make_unique<CacheModeSm>(numbered("cache_mode_sm", number).c_str(), morpheus_.kernel, environment));
  connect_messages(interconnect_->output(endpoint, Traffic::to_ellc), cache_sms.back()->input(), numbered("to_ellc_out", endpoint));
  connect_messages(cache_sms.back()->output(), interconnect_->input(endpoint, Traffic::from_ellc), numbered("from_ellc_in", endpoint));
  watch(*cache_sms.back());
}

bool MorpheusPlatform::archive_design(Archive& file) {
  for (const auto& controller : controllers) file(*controller);
  for (const auto& predictor : predictors)
    if (!predictor->archive(file)) Archive::refuse("morpheus.hit_predictor: " + morpheus_.hit_predictor);
  for (const auto& sm : cache_sms) file(*sm);
  file(residents);
  return true;
}

bool MorpheusPlatform::others_hold(LineAddress first, LineAddress last) const {
  bool found = false;
  for (unsigned partition = 0; partition < controllers.size(); ++partition)
    for (unsigned row = 0; row < geometry.rows(partition).size(); ++row)
      for (const LineAddress line : residents.lines(partition, row)) found |= !(line < first) && !(last < line);
  return found;
}

void MorpheusPlatform::catch_up() {
  PrivatePlatform::catch_up();
  for (const auto& controller : controllers) controller->catch_up();
}

std::vector<std::string> MorpheusPlatform::leftovers() const {
  std::vector<std::string> left = PrivatePlatform::leftovers();
  for (const auto& controller : controllers)
    if (!controller->logic().idle()) left.push_back(std::string(controller->name()) + " has operations that are not over");
  if (polls.alive() != 0) left.push_back(std::to_string(polls.alive()) + " loads of rows are still in flight");
  return left;
}

}  // namespace wharf
