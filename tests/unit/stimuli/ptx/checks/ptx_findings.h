#pragma once
// Runs a kernel under checks and returns their findings.

#include <functional>
#include <string>

#include "stimuli/ptx/execution/checks.h"
#include "tests/unit/stimuli/ptx/ptx_machine.h"

namespace wharf::ptx {

inline constexpr const char* kFile = ".file 1 \"app.cu\"\n";

/// Runs kernel k, whose body begins with %r0 = %tid.x, %r9 = %ctaid.x, %rd0 = p0 and %rd1 = p0 + 4 * %r0.
inline Findings findings_of(PtxMachine& machine, const std::string& checks, const std::string& body, const ArgumentBytes& arguments,
                            Dim3 grid, Dim3 block, const std::function<void(Checks&)>& prepare = {}) {
  Checks program(parse_checks(checks));
  if (prepare) prepare(program);
  machine.run(
      kernel_of(
          "mov.u32 %r0, %tid.x; mov.u32 %r9, %ctaid.x; ld.param.u64 %rd0, [p0]; mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1;\n" +
              body,
          1, kFile),
      "k", grid, block, arguments, 0, {&program});
  return program.findings();
}

/// Runs the body on an array of 64 words, all written.
inline Findings findings_of(const std::string& checks, const std::string& body, Dim3 grid = {1, 1, 1}, Dim3 block = {64, 1, 1}) {
  PtxMachine machine;
  const Address array = machine.zeros<std::uint32_t>(64);
  return findings_of(machine, checks, body, ArgumentBytes().add(array), grid, block);
}

}  // namespace wharf::ptx
