#include "model/rtl/waves.h"

#include <verilated_vcd_c.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <systemc>

#include "model/base/error.h"
#include "model/rtl/transactor.h"

namespace wharf::rtl {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// A module, because Verilator accepts signals only after elaboration.
class WaveFile final : public sc_core::sc_module, public Waves {
 public:
  WaveFile(sc_core::sc_module_name name, std::string file) : sc_module(name), name_(std::move(file)) { Verilated::traceEverOn(true); }

  void sample() override {
    next_ = std::max(next_, static_cast<std::uint64_t>(kernel_time().value()));
    file_.dump(next_++);
  }

 private:
  void start_of_simulation() override {
    file_.set_time_unit("1ps");
    file_.set_time_resolution("1ps");
    for (Transactor* transactor : transactors()) {
      transactor->trace(file_);
      transactor->attach(*this);
    }
    file_.open(name_.c_str());
    sample();
  }

  std::string name_;
  VerilatedVcdC file_;
  std::uint64_t next_ = 0;  // the next free instant of the file
};

}  // namespace

std::unique_ptr<Waves> open_waves(const std::string& file) {
  if (transactors().empty())
    throw InputError("--waves: nothing in this configuration is RTL; choose a form that is, such as morpheus.hit_predictor=bloom_rtl");
  if (!ends_with(file, ".vcd")) throw InputError("--waves: '" + file + "' is no VCD file; give it a name that ends in .vcd");
  std::error_code ignored;  // without a folder, opening the file fails
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
  if (!std::ofstream(file)) throw InputError("--waves: cannot write '" + file + "'; choose another place");
  return std::make_unique<WaveFile>("waves", file);
}

}  // namespace wharf::rtl
