// The state of a GPU between kernels (model/base/archive.h).

#include "model/base/archive.h"
#include "platforms/frame/gpu_frame.h"
#include "platforms/frame/stimulus_image.h"

namespace wharf {

void GpuFrame::archive(Archive& file) {
  if (options_.between) Archive::refuse("a machine with modules of the caller in its links");
  if (contents_ != nullptr && own_image_ == nullptr) Archive::refuse("a host's memory");
  catch_up();
  file.expect_quiet(leftovers().empty(), "the machine");
  file.expect_quiet(period_ == nullptr || period_->period.idle(), "the prediction period");
  const auto one = [&](const std::string& name, auto* block) {
    if (block != nullptr) file.section(name, [&] { file(*block); });
  };
  const auto all = [&](const char* name, auto& blocks) {
    for (std::size_t i = 0; i < blocks.size(); ++i) one(name + std::to_string(i), blocks[i].get());
  };
  file.section("design", [&] {
    if (!archive_design(file)) Archive::refuse("platform: " + params_.platform);
  });
  one("payloads", &pool_);
  one("front_end", front_end_.get());
  for (std::size_t i = 0; i < sms_.size(); ++i) one("sm" + std::to_string(i), &sms_[i]->logic());
  one("bandwidth_meter", bandwidth_meter_.get());
  file.section("shared_memory_turns", [&] { file.elements(shared_memory_turns_); });
  all("l1_cache", caches_);
  all("front", fronts_);
  file.section("network", [&] {
    if (interconnect_ != nullptr && !interconnect_->archive(file))
      Archive::refuse("this network (network.topology: " + params_.network.topology + ", network.peer)");
  });
  all("l2_nic", l2_nics_);
  all("l2_slice", slices_);
  all("l2_entry", l2_entries_);
  all("dram_channel", channels_);
  one("directory", directory_.get());
  one("stored_lines", stored_lines_.get());
  one("golden_memory", golden_.get());
  one("contents", contents_.get());
  one("image", own_image_.get());
}

}  // namespace wharf
