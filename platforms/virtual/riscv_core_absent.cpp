// In place of riscv_core.cpp in a program built without Unicorn.

#include "model/base/error.h"
#include "platforms/virtual/riscv_core.h"

namespace wharf::vp {

struct RiscvCore::Engine {
  Exception exception;
};

RiscvCore::RiscvCore(RiscvBus&) {
  throw InputError("this program was built without Unicorn, on which the host CPU runs; `./wharf setup virtual` builds it in");
}
RiscvCore::~RiscvCore() = default;
bool RiscvCore::is_built() { return false; }
RiscvCore::Stop RiscvCore::run(std::uint64_t) { return Stop::exception; }
std::uint64_t RiscvCore::executed() const { return 0; }
Address RiscvCore::pc() const { return 0; }
void RiscvCore::set_pc(Address) {}
const RiscvCore::Exception& RiscvCore::exception() const { return engine_->exception; }
std::uint64_t RiscvCore::enabled_interrupts() const { return 0; }
bool RiscvCore::interrupts_on() const { return false; }
Address RiscvCore::trap_handler() const { return 0; }
void RiscvCore::trap(std::uint64_t, bool, std::uint64_t) {}
bool RiscvCore::has_left_machine_mode() const { return false; }
void RiscvCore::invalidate_direct(Address, Address) {}
void RiscvCore::stop() {}

}  // namespace wharf::vp
