#include "platforms/virtual/riscv_core.h"

#include <dlfcn.h>
#include <unicorn/unicorn.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <list>
#include <utility>
#include <vector>

#include "model/base/error.h"

namespace wharf::vp {

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint32_t kSystemOpcode = 0x73, kWfi = 0x10500073, kEcall = 0x00000073, kEbreak = 0x00100073, kMret = 0x30200073;
constexpr std::uint32_t kMstatus = 0x300, kMieRegister = 0x304;
constexpr std::uint16_t kCompressedEbreak = 0x9002;
// Bits of mstatus.
constexpr std::uint64_t kMie = 1u << 3, kMpie = 1u << 7, kMpp = 3u << 11;

}  // namespace

/// The functions of Unicorn that are used, from a library loaded with the first hart: linked to the program, its relocations would take all
/// other commands a fifth of their start.
struct Unicorn {
  Unicorn() : library(dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL)) {
    if (library == nullptr) throw InputError(std::string("the host CPU needs ") + kLibrary + "; install libunicorn2: " + dlerror());
    find(open, "uc_open"), find(close, "uc_close"), find(text, "uc_strerror"), find(hook, "uc_hook_add");
    find(start, "uc_emu_start"), find(stop, "uc_emu_stop"), find(read, "uc_reg_read"), find(write, "uc_reg_write");
    find(map_memory, "uc_mem_map_ptr"), find(map_calls, "uc_mmio_map"), find(unmap, "uc_mem_unmap");
  }
  ~Unicorn() { dlclose(library); }
  Unicorn(const Unicorn&) = delete;
  Unicorn& operator=(const Unicorn&) = delete;

  void check(uc_err error, const char* what) const {
    if (error != UC_ERR_OK) throw SimulationError(std::string("the host CPU cannot ") + what + ": " + text(error));
  }

  static constexpr const char* kLibrary = "libunicorn.so.2";
  void* library;
  decltype(&uc_open) open;
  decltype(&uc_close) close;
  decltype(&uc_strerror) text;
  decltype(&uc_hook_add) hook;
  decltype(&uc_emu_start) start;
  decltype(&uc_emu_stop) stop;
  decltype(&uc_reg_read) read;
  decltype(&uc_reg_write) write;
  decltype(&uc_mem_map_ptr) map_memory;
  decltype(&uc_mmio_map) map_calls;
  decltype(&uc_mem_unmap) unmap;

 private:
  template <class F>
  void find(F& function, const char* name) const {
    function = reinterpret_cast<F>(dlsym(library, name));
    if (function == nullptr) throw InputError(std::string(kLibrary) + " has no " + name + "; install another release of libunicorn2");
  }
};

namespace {

bool is_mip(std::uint32_t csr) { return csr == 0x344; }
bool is_time(std::uint32_t csr) { return csr == 0xC01; }
bool is_counter(std::uint32_t csr) { return csr == 0xB00 || csr == 0xB02 || csr == 0xC00 || csr == 0xC02; }

}  // namespace

struct RiscvCore::Engine {
  explicit Engine(RiscvBus& bus);
  ~Engine() { unicorn.close(uc); }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  struct Mapping {
    Engine* engine;
    Address begin, end;
    std::byte* data;  // nullptr: every access is a call
  };

  std::uint64_t get(int name) const {
    std::uint64_t value = 0;
    unicorn.check(unicorn.read(uc, name, &value), "read a register");
    return value;
  }
  void set(int name, std::uint64_t value) { unicorn.check(unicorn.write(uc, name, &value), "write a register"); }

  // What Unicorn calls. No exception may pass through it.
  static void on_instruction(uc_engine*, std::uint64_t address, std::uint32_t, void* self) {
    static_cast<Engine*>(self)->instruction(address);
  }
  static void on_exception(uc_engine*, std::uint32_t number, void* self) { static_cast<Engine*>(self)->excepted(number); }
  static bool on_unmapped(uc_engine*, uc_mem_type type, std::uint64_t address, int, std::int64_t, void* self) {
    return static_cast<Engine*>(self)->unmapped(type, address);
  }
  static std::uint64_t on_read(uc_engine*, std::uint64_t offset, unsigned size, void* mapping);
  static void on_write(uc_engine*, std::uint64_t offset, unsigned size, std::uint64_t value, void* mapping);

  void instruction(Address address);
  void excepted(std::uint32_t number);
  bool unmapped(uc_mem_type type, Address address);
  bool map_direct(Address address);
  void map_calls(Address address);
  template <class Access>
  void access(Address address, Cause cause, Access transport);

  bool is_emulated(std::uint32_t instruction);
  void read_counter(std::uint32_t instruction);
  void raise(Cause cause, std::uint64_t value) {
    if (exception.cause == Cause::none) exception = {cause, value};
  }
  /// The bytes of the instruction at `address`, which lies in direct memory.
  std::uint32_t fetched(Address address) const;
  void apply_invalidations();
  Stop step_over(Address at);

  RiscvBus& bus;
  const Unicorn unicorn;
  uc_engine* uc = nullptr;
  std::list<Mapping> mappings;  // callbacks hold their addresses
  const Mapping* code = nullptr;
  std::vector<std::pair<Address, Address>> invalidated;
  Address pc = 0;  // of the instruction under way, or the next
  std::uint64_t executed = 0, limit = 0;
  bool ending = false;          // the run ends before the next instruction,
  bool ended = false;           // and has: the hook of that instruction has ended it, where Unicorn's state is whole
  bool in_instruction = false;  // it has begun, and may yet fail
  std::uint32_t system = 0;     // an instruction that is done here
  Exception exception;
  bool left_machine_mode = false;
  std::exception_ptr error;
};

RiscvCore::Engine::Engine(RiscvBus& b) : bus(b) {
  unicorn.check(unicorn.open(UC_ARCH_RISCV, UC_MODE_RISCV64, &uc), "start");
  uc_hook hook;
  const auto add = [&](int type, auto* function) {
    unicorn.check(unicorn.hook(uc, &hook, type, reinterpret_cast<void*>(function), this, 1, 0), "install a hook");
  };
  add(UC_HOOK_CODE, on_instruction);
  add(UC_HOOK_INTR, on_exception);
  add(UC_HOOK_MEM_INVALID, on_unmapped);
  set(UC_RISCV_REG_MSTATUS, kMpp);  // an MRET that nobody prepared stays in machine mode
}

std::uint32_t RiscvCore::Engine::fetched(Address address) const {
  std::uint32_t bytes = 0;
  if (code != nullptr && address >= code->begin && address < code->end)
    std::memcpy(&bytes, code->data + (address - code->begin), std::min<std::uint64_t>(sizeof bytes, code->end - address));
  return bytes;
}

void RiscvCore::Engine::instruction(Address address) {
  const bool failed = exception.cause != Cause::none || error;
  if (!failed) pc = address, in_instruction = false;
  if (failed || ending || executed >= limit) {
    ended = true;
    unicorn.stop(uc);
    return;
  }
  if (code == nullptr || address < code->begin || address >= code->end) {
    code = nullptr;
    for (const Mapping& mapping : mappings)
      if (mapping.data != nullptr && address >= mapping.begin && address < mapping.end) code = &mapping;
  }
  const std::uint32_t bytes = fetched(address);
  if ((bytes & 0x7F) == kSystemOpcode && is_emulated(bytes)) {
    system = bytes;
    ended = true;
    unicorn.stop(uc);
    return;
  }
  in_instruction = true;
  ++executed;
}

bool RiscvCore::Engine::is_emulated(std::uint32_t instruction) {
  if (instruction == kWfi || instruction == kEcall || instruction == kEbreak) return true;
  const bool accesses_csr = (instruction >> 12 & 3) != 0;
  const std::uint32_t csr = instruction >> 20;
  // Where interrupts may be let in, they are looked for.
  left_machine_mode |= instruction == kMret && (get(UC_RISCV_REG_MSTATUS) & kMpp) != kMpp;
  ending = instruction == kMret || (accesses_csr && (csr == kMstatus || csr == kMieRegister));
  return accesses_csr && (is_mip(csr) || is_time(csr) || is_counter(csr));
}

/// Reads return the counter; writes are ignored.
void RiscvCore::Engine::read_counter(std::uint32_t instruction) {
  const std::uint32_t csr = instruction >> 20, destination = instruction >> 7 & 31;
  const std::uint64_t value = is_mip(csr) ? bus.pending() : is_time(csr) ? bus.time() : bus.cycles();
  if (destination != 0) set(UC_RISCV_REG_X0 + static_cast<int>(destination), value);
}

void RiscvCore::Engine::excepted(std::uint32_t number) {
  const auto cause = static_cast<Cause>(number);
  raise(cause, cause == Cause::illegal_instruction ? fetched(pc) : 0);
  unicorn.stop(uc);
}

bool RiscvCore::Engine::map_direct(Address address) {
  DirectMemory memory;
  const auto holds = [address](const Mapping& mapping) { return address >= mapping.begin && address < mapping.end; };
  if (std::any_of(mappings.begin(), mappings.end(), holds) || !bus.direct(address, memory)) return false;
  Address begin = (memory.begin + kPage - 1) / kPage * kPage, end = memory.end / kPage * kPage;
  for (const Mapping& mapping : mappings) {  // what is mapped already stays
    if (mapping.end <= address) begin = std::max(begin, mapping.end);
    if (mapping.begin > address) end = std::min(end, mapping.begin);
  }
  if (address < begin || address >= end) return false;
  std::byte* data = memory.data + (begin - memory.begin);
  unicorn.check(unicorn.map_memory(uc, begin, end - begin, UC_PROT_ALL, data), "map memory");
  mappings.push_back({this, begin, end, data});
  return true;
}

void RiscvCore::Engine::map_calls(Address address) {
  const Address begin = address / kPage * kPage;
  Mapping& mapping = mappings.emplace_back(Mapping{this, begin, begin + kPage, nullptr});
  unicorn.check(unicorn.map_calls(uc, begin, kPage, on_read, &mapping, on_write, &mapping), "map a device");
}

bool RiscvCore::Engine::unmapped(uc_mem_type type, Address address) {
  if (exception.cause != Cause::none) return false;
  const bool stores = type == UC_MEM_WRITE_UNMAPPED, loads = type == UC_MEM_READ_UNMAPPED;
  try {
    if (map_direct(address)) return true;
    if ((stores || loads) && bus.exists(address)) {
      map_calls(address);
      return true;
    }
    if (!stores && !loads) pc = address, in_instruction = false;
    exception = {stores ? Cause::store_fault : loads ? Cause::load_fault : Cause::fetch_fault, address};
  } catch (...) {
    error = std::current_exception();
  }
  return false;
}

template <class Access>
void RiscvCore::Engine::access(Address address, Cause cause, Access transport) {
  try {
    bool direct_now = false;
    if (!transport(direct_now)) raise(cause, address);
    if (!direct_now) return;
    invalidated.emplace_back(address / kPage * kPage, address / kPage * kPage + kPage - 1);
    ending = true;
  } catch (...) {
    if (!error) error = std::current_exception();
  }
}

std::uint64_t RiscvCore::Engine::on_read(uc_engine*, std::uint64_t offset, unsigned size, void* data) {
  const Mapping& mapping = *static_cast<Mapping*>(data);
  Engine& engine = *mapping.engine;
  const Address address = mapping.begin + offset;
  std::uint64_t value = 0;
  engine.access(address, Cause::load_fault, [&](bool& direct_now) { return engine.bus.read(address, size, value, direct_now); });
  return value;
}

void RiscvCore::Engine::on_write(uc_engine*, std::uint64_t offset, unsigned size, std::uint64_t value, void* data) {
  const Mapping& mapping = *static_cast<Mapping*>(data);
  Engine& engine = *mapping.engine;
  const Address address = mapping.begin + offset;
  engine.access(address, Cause::store_fault, [&](bool& direct_now) { return engine.bus.write(address, size, value, direct_now); });
  engine.ending = true;  // interrupts may have changed
}

/// Unicorn cannot unmap while it runs.
void RiscvCore::Engine::apply_invalidations() {
  for (const auto& [begin, end] : invalidated) {
    for (auto mapping = mappings.begin(); mapping != mappings.end();) {
      if (mapping->begin > end || mapping->end <= begin) {
        ++mapping;
        continue;
      }
      unicorn.check(unicorn.unmap(uc, mapping->begin, mapping->end - mapping->begin), "unmap memory");
      mapping = mappings.erase(mapping);
    }
  }
  if (!invalidated.empty()) code = nullptr;
  invalidated.clear();
}

/// An instruction that Unicorn has not seen; `pc` is behind it afterwards unless it traps.
RiscvCore::Stop RiscvCore::Engine::step_over(Address at) {
  const std::uint32_t instruction = std::exchange(system, 0);
  if (instruction == kEcall || instruction == kEbreak) {
    exception = {instruction == kEcall ? Cause::environment_call : Cause::breakpoint, 0};
    return Stop::exception;
  }
  ++executed;
  pc = at + 4;
  if (instruction == kWfi) return Stop::wait;
  read_counter(instruction);
  return Stop::device;
}

RiscvCore::RiscvCore(RiscvBus& bus) : engine_(std::make_unique<Engine>(bus)) {}
RiscvCore::~RiscvCore() = default;
bool RiscvCore::is_built() { return true; }

RiscvCore::Stop RiscvCore::run(std::uint64_t most_instructions) {
  Engine& e = *engine_;
  e.apply_invalidations();
  e.limit = e.executed + most_instructions;
  e.ending = e.ended = false;
  e.in_instruction = false;
  e.exception = {};
  const uc_err result = e.unicorn.start(e.uc, e.pc, 0, 0, 0);
  if (e.error) std::rethrow_exception(std::exchange(e.error, nullptr));
  if (e.system != 0) return e.step_over(e.pc);
  if (result == UC_ERR_INSN_INVALID) {
    const std::uint32_t bytes = e.fetched(e.pc);
    const bool breakpoint = static_cast<std::uint16_t>(bytes) == kCompressedEbreak;
    e.exception = {breakpoint ? Cause::breakpoint : Cause::illegal_instruction, breakpoint ? 0 : bytes};
  } else if (e.exception.cause == Cause::none && result != UC_ERR_OK) {
    throw SimulationError(std::string("the host CPU failed: ") + e.unicorn.text(result));
  }
  if (e.exception.cause != Cause::none) {
    if (e.in_instruction) --e.executed;
    return Stop::exception;
  }
  if (!e.ended) {  // Unicorn stops by itself at address 0 alone
    e.pc = e.get(UC_RISCV_REG_PC);
    e.exception = {Cause::fetch_fault, e.pc};
    return Stop::exception;
  }
  return e.executed >= e.limit ? Stop::instructions : Stop::device;
}

std::uint64_t RiscvCore::executed() const { return engine_->executed - (engine_->in_instruction ? 1 : 0); }
Address RiscvCore::pc() const { return engine_->pc; }
void RiscvCore::set_pc(Address pc) { engine_->pc = pc; }
const RiscvCore::Exception& RiscvCore::exception() const { return engine_->exception; }
std::uint64_t RiscvCore::enabled_interrupts() const { return engine_->get(UC_RISCV_REG_MIE); }
bool RiscvCore::interrupts_on() const { return (engine_->get(UC_RISCV_REG_MSTATUS) & kMie) != 0; }
Address RiscvCore::trap_handler() const { return engine_->get(UC_RISCV_REG_MTVEC); }

void RiscvCore::trap(std::uint64_t cause, bool interrupt, std::uint64_t value) {
  Engine& e = *engine_;
  const std::uint64_t status = e.get(UC_RISCV_REG_MSTATUS), vector = e.get(UC_RISCV_REG_MTVEC);
  e.set(UC_RISCV_REG_MEPC, e.pc);
  e.set(UC_RISCV_REG_MCAUSE, cause | (interrupt ? std::uint64_t{1} << 63 : 0));
  e.set(UC_RISCV_REG_MTVAL, value);
  e.set(UC_RISCV_REG_MSTATUS, (status & ~(kMie | kMpie)) | kMpp | ((status & kMie) != 0 ? kMpie : 0));
  const bool vectored = (vector & 3) == 1 && interrupt;
  e.pc = (vector & ~Address{3}) + (vectored ? 4 * cause : 0);
}

bool RiscvCore::has_left_machine_mode() const { return engine_->left_machine_mode; }

void RiscvCore::invalidate_direct(Address begin, Address end) {
  engine_->invalidated.emplace_back(begin, end);
  stop();
}

void RiscvCore::stop() { engine_->ending = true; }

}  // namespace wharf::vp
