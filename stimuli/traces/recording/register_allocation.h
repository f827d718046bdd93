#pragma once
// Register numbers for a recorded warp as a compiler would give them: below the kernel's count where its values fit.
//
// A stimulus numbers results by the source line, from a set much larger than any kernel has. Here a value holds its number from its write
// to its last read, and gives it to the value that comes next. No instruction may wait for another than it did before, nor for none, so:
// - A result that nobody has read when its register is written again keeps its number for the second write, which waits for the first.
//   One that is neither read nor written again holds its number to the end of the warp, because nothing says when it has arrived.
// - A write in a part of the lanes keeps the number while other lanes' values are still to be read.
// - A register that is read and never written has its number from the start of the warp.
// - A number keeps its rest modulo 4, and with it the register bank of collector units (CM-40).

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "model/base/warp_instruction.h"
#include "stimuli/stimulus.h"

namespace wharf::traces {

class RegisterAllocation {
 public:
  /// Register banks that numbers keep: those of `sm.register_banks` up to 4.
  static constexpr unsigned kBanks = 4;

  /// Reads `warp` to its end. Numbers lie below `registers`, the kernel's count, as long as one of the bank is free there; else the lowest
  /// free one of the bank above is taken.
  RegisterAllocation(WarpStream& warp, unsigned registers);

  /// Gives the registers of the warp's next instruction their numbers. Call it for each instruction in order.
  void rename(WarpInstruction& instruction);

 private:
  struct Use {
    std::array<RegisterId, 4> sources;
    RegisterId destination;
    std::uint8_t last_reads = 0;  // bit s: nothing reads the value of sources[s] after this instruction
    LaneMask active;
  };
  void find_last_reads();
  RegisterId allocate(unsigned bank);
  void release(RegisterId number);

  unsigned registers_;
  std::vector<Use> uses_;
  std::size_t next_ = 0;
  std::array<RegisterId, kNoRegister + 1> number_of_;  // by the warp's own number; kNoRegister: it holds none
  std::array<std::deque<RegisterId>, kBanks> free_;    // below the kernel's count, longest free first
  std::bitset<kNoRegister> above_;                     // taken numbers from the kernel's count on
};

}  // namespace wharf::traces
