#include "stimuli/traces/recording/trace_writer.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "model/base/bits.h"
#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "stimuli/traces/recording/register_allocation.h"

namespace wharf::traces {

namespace {

// Windows of shared and local memory in the generic address space. They are never used, because every access is written with an opcode that
// names its memory.
constexpr Address kSharedBase = 0x00007f0000000000, kLocalBase = 0x00007f0800000000;
// Readers keep differences in 32 bits.
constexpr std::int64_t kLargestDifference = 0x7FFFFFFF;

std::string size_suffix(std::uint8_t bytes) {
  switch (bytes) {
    case 1:
      return ".U8";
    case 2:
      return ".U16";
    case 4:
      return "";
    case 8:
      return ".64";
    case 16:
      return ".128";
    default:
      throw InputError(fmt::format("an access of {} bytes a lane cannot be written to a trace; use 1, 2, 4, 8 or 16", bytes));
  }
}

/// A trace has no suffix for the other hints.
std::string eviction_suffix(Eviction eviction) {
  switch (eviction) {
    case Eviction::unhinted:
      return "";
    case Eviction::first:
      return ".EF";
    case Eviction::last:
      return ".EL";
    case Eviction::normal:
    case Eviction::none:
      break;
  }
  throw InputError("an access that L2 must keep as normal, or not install, cannot be written to a trace; record without this hint");
}

std::string load_opcode(const WarpInstruction& instruction) {
  const std::string size = size_suffix(instruction.access_bytes);
  if (instruction.space == Space::local) return "LDL" + size;
  return "LDG.E" + eviction_suffix(instruction.eviction) + size + (instruction.cache_op == CacheOp::bypass_l1 ? ".STRONG.GPU" : ".SYS");
}

std::string store_opcode(const WarpInstruction& instruction) {
  const std::string size = size_suffix(instruction.access_bytes);
  return instruction.space == Space::local ? "STL" + size : "STG.E" + eviction_suffix(instruction.eviction) + size + ".SYS";
}

/// Collects the addresses of the active lanes, in lane order.
unsigned gather(const WarpInstruction& instruction, std::array<Address, kLanes>& addresses) {
  unsigned count = 0;
  for (const unsigned lane : set_bits(instruction.active)) addresses[count++] = instruction.addresses[lane];
  return count;
}

bool fits(std::int64_t difference) { return difference >= -kLargestDifference && difference <= kLargestDifference; }

}  // namespace

std::string opcode_for(const WarpInstruction& instruction) {
  const bool returns = instruction.destination != kNoRegister;
  switch (instruction.unit) {
    case Unit::alu:
      return "IADD3";
    case Unit::shuffle:
      return "SHFL.IDX";
    case Unit::imad:
      return "IMAD";
    case Unit::conversion:
      return "I2F";
    case Unit::fence:
      return "MEMBAR.SC.GPU";
    case Unit::fp32:
      return "FFMA";
    case Unit::fp64:
      return "DFMA";
    case Unit::sfu:
      return "MUFU.RCP";
    case Unit::tensor:
      return "HMMA.884.F32.F32";
    case Unit::branch:
      return "BRA";
    case Unit::barrier:
      return "BAR.SYNC";
    case Unit::exit:
      return "EXIT";
    case Unit::texture:
      return "TEX" + size_suffix(instruction.access_bytes);
    case Unit::load:
      return load_opcode(instruction);
    case Unit::store:
      return store_opcode(instruction);
    case Unit::atomic:
      return (returns ? "ATOMG.E.ADD" : "RED.E.ADD") + size_suffix(instruction.access_bytes) + ".STRONG.GPU";
    case Unit::shared:
      return (returns ? "LDS" : "STS") + size_suffix(instruction.access_bytes);
    case Unit::shared_atomic:
      return "ATOMS.ADD" + size_suffix(instruction.access_bytes);
  }
  throw InputError("an instruction of an unknown unit cannot be written to a trace; use one of the units of warp_instruction.h");
}

TraceWriter::TraceWriter(const std::string& folder, TraceForm form) : folder_(folder), form_(form) {
  require_writable(folder_ + "/kernelslist.g");
}

void TraceWriter::begin_list() {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  std::ofstream list(folder_ + "/kernelslist.g", std::ios::trunc);
  if (!list) throw InputError(folder_ + "/kernelslist.g: cannot be created; check the folder and its permissions");
}

void TraceWriter::begin_kernel(const KernelLaunch& launch) {
  end_kernel();
  launch_ = launch;
  in_kernel_ = true;
  ctas_written_ = 0;
  file_name_ = kernel_file_name(++kernels_, form_);
}

/// A kernel that the machine refuses has no CTA, and leaves everything as it was.
void TraceWriter::begin_file() {
  if (kernels_ == 1) begin_list();
  file_ = create_kernel_file(folder_ + "/" + file_name_, form_, header());
}

std::string TraceWriter::header() const {
  return fmt::format(
      "-kernel name = {}\n-kernel id = {}\n-grid dim = ({},{},{})\n-block dim = ({},{},{})\n-shmem = {}\n-nregs = {}\n"
      "-binary version = 70\n-cuda stream id = {}\n-shmem base_addr = {:#018x}\n-local mem base_addr = {:#018x}\n"
      "-nvbit version = none\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
      "#traces format = PC mask ndst [Rn] opcode nsrc [Rn ...] width [mode addresses] imm\n",
      launch_.name, kernels_, launch_.grid.x, launch_.grid.y, launch_.grid.z, launch_.block.x, launch_.block.y, launch_.block.z,
      launch_.shared_bytes, launch_.registers_per_thread, launch_.stream, kSharedBase, kLocalBase);
}

void TraceWriter::write_cta(const std::shared_ptr<const CodeTable>& code, const std::vector<PackedWarp>& warps) {
  if (ctas_written_ == 0) begin_file();
  const std::uint64_t x = ctas_written_ % launch_.grid.x, yz = ctas_written_ / launch_.grid.x;
  file_->begin_cta(
      {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(yz % launch_.grid.y), static_cast<std::uint32_t>(yz / launch_.grid.y)});
  for (unsigned warp = 0; warp < warps.size(); ++warp) write_warp(code, warp, warps[warp]);
  file_->end_cta();
  ++ctas_written_;
}

void TraceWriter::write_warp(const std::shared_ptr<const CodeTable>& code, unsigned warp, const PackedWarp& packed) {
  file_->begin_warp(warp, packed.instructions);
  PackedStream first_pass(code, packed), stream(code, packed);
  RegisterAllocation registers(first_pass, launch_.registers_per_thread);
  for (const WarpInstruction* next = stream.peek(); next != nullptr; next = stream.peek()) {
    WarpInstruction instruction = *next;
    registers.rename(instruction);
    write_instruction(instruction);
    stream.advance();
  }
  file_->end_warp();
}

void TraceWriter::write_instruction(const WarpInstruction& instruction) {
  text_.clear();
  auto out = std::back_inserter(text_);
  fmt::format_to(out, "{:04x} {:08x} ", instruction.pc, instruction.active);
  if (instruction.destination == kNoRegister) {
    text_ += "0 ";
  } else {
    fmt::format_to(out, "1 R{} ", instruction.destination);
  }
  text_ += opcode_for(instruction);
  std::size_t sources = instruction.sources.size();
  while (sources > 0 && instruction.sources[sources - 1] == kNoRegister) --sources;
  fmt::format_to(out, " {} ", sources);
  // A gap among the sources is the zero register, R255, which reads back as no register.
  for (std::size_t i = 0; i < sources; ++i) fmt::format_to(out, "R{} ", instruction.sources[i]);
  if (has_addresses(instruction.unit)) {
    write_addresses(instruction);
  } else {
    text_ += "0 ";
  }
  text_ += '0';
  file_->write_line(text_);
}

void TraceWriter::write_addresses(const WarpInstruction& instruction) {
  auto out = std::back_inserter(text_);
  fmt::format_to(out, "{} ", instruction.access_bytes);
  std::array<Address, kLanes> addresses;
  const unsigned count = gather(instruction, addresses);
  if (count == 0) {
    text_ += "1 0x0 0 ";
    return;
  }
  bool regular = is_contiguous(instruction.active), near = true;
  const auto step = [&](unsigned i) { return static_cast<std::int64_t>(addresses[i] - addresses[i - 1]); };
  for (unsigned i = 1; i < count; ++i) {
    regular &= step(i) == step(1);
    near &= fits(step(i));
  }
  if (!near) {
    text_ += "0 ";
    for (unsigned i = 0; i < count; ++i) fmt::format_to(out, "{:#x} ", addresses[i]);
  } else if (regular) {
    fmt::format_to(out, "1 {:#x} {} ", addresses[0], count > 1 ? step(1) : 0);
  } else {
    fmt::format_to(out, "2 {:#x} ", addresses[0]);
    for (unsigned i = 1; i < count; ++i) fmt::format_to(out, "{} ", step(i));
  }
}

void TraceWriter::end_kernel() {
  if (!in_kernel_) return;
  if (ctas_written_ != launch_.grid.count()) {
    throw SimulationError(fmt::format("{}/{}: only {} of {} CTAs were recorded; let the run reach its end", folder_, file_name_,
                                      ctas_written_, launch_.grid.count()));
  }
  file_->close();
  file_.reset();
  in_kernel_ = false;
  std::ofstream list(folder_ + "/kernelslist.g", std::ios::app);
  list << file_name_ << '\n';
  if (!list.flush()) throw InputError(folder_ + "/kernelslist.g: cannot be written; check the folder, its permissions and the space left");
}

}  // namespace wharf::traces
