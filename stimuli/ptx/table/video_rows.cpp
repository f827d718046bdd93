// Rows of video instructions. GPUs of compute capability 7.0 and later have next to none of them in hardware; the costs are estimates of the
// logic, shifts and sums that replace them. Operands have no selectors, and their types are equal, as the functions of CUDA C++ need it.
#include "stimuli/ptx/lanes/integers/video.h"
#include "stimuli/ptx/table/rows.h"

namespace wharf::ptx {

void add_video_rows(std::vector<Instruction>& table) {
  constexpr Cost kNumber = alu(1), kTwo = alu(2), kHalves = alu(6), kBytes = alu(12);
  constexpr std::string_view kThree = "=b32 b32 b32", kFour = "=b32 b32 b32 b32";
  for (const char* opcode : {"vadd", "vsub", "vabsdiff", "vmin", "vmax"}) {
    for (const char* words : {"u32 u32 u32 sat?", "s32 s32 s32 sat?"})
      table.push_back({opcode, words, kThree, kCompute, video::arithmetic, kNumber});
    for (const char* words : {"u32 u32 u32 sat? add|min|max", "s32 s32 s32 sat? add|min|max"})
      table.push_back({opcode, words, kFour, kCompute, video::arithmetic, kTwo});
  }
  for (const char* opcode : {"vshl", "vshr"}) {
    for (const char* words : {"u32 u32 u32 clamp|wrap", "s32 s32 u32 clamp|wrap"})
      table.push_back({opcode, words, kThree, kCompute, video::shift, kNumber});
    for (const char* words : {"u32 u32 u32 clamp|wrap add|min|max", "s32 s32 u32 clamp|wrap add|min|max"})
      table.push_back({opcode, words, kFour, kCompute, video::shift, kTwo});
  }
  for (const char* opcode :
       {"vadd2", "vsub2", "vavrg2", "vabsdiff2", "vmin2", "vmax2", "vadd4", "vsub4", "vavrg4", "vabsdiff4", "vmin4", "vmax4"})
    for (const char* words : {"u32 u32 u32 sat|add?", "s32 s32 s32 sat|add?"})
      table.push_back({opcode, words, kFour, kCompute, video::arithmetic, std::string_view(opcode).back() == '2' ? kHalves : kBytes});
  for (const char* opcode : {"vset2", "vset4"})
    for (const char* words : {"u32 u32 eq|ne|lt|le|gt|ge add?", "s32 s32 eq|ne|lt|le|gt|ge add?"})
      table.push_back({opcode, words, kFour, kCompute, video::compare, std::string_view(opcode).back() == '2' ? kHalves : kBytes});
}

}  // namespace wharf::ptx
