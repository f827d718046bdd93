#include "model/rtl/waves.h"

#include <verilated_vcd_c.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <systemc>

#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "model/rtl/transactor.h"

namespace wharf::rtl {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// After a failed write, discards all further output and keeps the reason. Verilator would end the program instead, which waits for a lock
/// that Verilator holds.
class CheckedFile final : public VerilatedVcdFile {
 public:
  bool open(const std::string& name) override {
    if (VerilatedVcdFile::open(name)) return true;
    error_ = errno;
    return false;
  }
  ssize_t write(const char* bytes, ssize_t size) override {
    if (error_ != 0) return size;
    const ssize_t written = VerilatedVcdFile::write(bytes, size);
    if (written >= 0 || errno == EAGAIN || errno == EINTR) return written;
    error_ = errno;
    return size;
  }
  /// The errno of the first failure; 0 if there was none.
  int error() const { return error_; }

 private:
  int error_ = 0;
};

/// A module, because Verilator accepts signals only after elaboration.
class WaveFile final : public sc_core::sc_module, public Waves {
 public:
  WaveFile(sc_core::sc_module_name name, std::string file) : sc_module(name), name_(std::move(file)) { Verilated::traceEverOn(true); }

  void sample() override {
    next_ = std::max(next_, static_cast<std::uint64_t>(kernel_time().value()));
    file_.dump(next_++);
  }

  void close() override {
    file_.close();
    if (failed())
      throw InputError("--waves: '" + name_ + "' cannot be written: " + std::strerror(bytes_.error()) + "; choose another place");
  }

  bool failed() const override { return bytes_.error() != 0; }

 private:
  void start_of_simulation() override {
    file_.set_time_unit("1ps");
    file_.set_time_resolution("1ps");
    for (Transactor* transactor : transactors()) {
      transactor->trace(file_);
      transactor->attach(*this);
    }
    std::error_code ignored;  // if the folder is missing, opening the file fails
    std::filesystem::create_directories(std::filesystem::path(name_).parent_path(), ignored);
    file_.open(name_.c_str());
    sample();
  }

  std::string name_;
  CheckedFile bytes_;
  VerilatedVcdC file_{&bytes_};
  std::uint64_t next_ = 0;  // the next free instant of the file
};

}  // namespace

std::unique_ptr<Waves> open_waves(const std::string& file) {
  if (transactors().empty())
    throw InputError("--waves: nothing in this configuration is RTL; choose a form that is, such as morpheus.hit_predictor=bloom_rtl");
  if (!ends_with(file, ".vcd")) throw InputError("--waves: '" + file + "' is not a VCD file; give it a name that ends in .vcd");
  require_writable(file);
  return std::make_unique<WaveFile>("waves", file);
}

}  // namespace wharf::rtl
