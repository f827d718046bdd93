// Firmware on the virtual platform, as a user boots it.

#include <catch2/catch.hpp>

#include "platforms/inputs/files.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

std::string firmware(const std::string& name) { return std::string(WHARF_FIRMWARE_DIR) + "/" + name + ".elf"; }

/// Boots on private, which boots fastest, unless the arguments name another configuration.
Ended boot(const TemporaryFolder& folder, const std::string& name, std::vector<std::string> more = {"--config=private"}) {
  more.insert(more.begin(), {"vp", firmware(name)});
  return wharf(folder, more);
}

TEST_CASE("the demonstration computes the same on four platforms and prints the times of the kernels") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"vp", "--out", "o"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const std::string table = ended.output.substr(ended.output.find("Times of the kernels"));
  CHECK_THAT(table, Contains("private") && Contains("dc_l1") && Contains("ata") && Contains("morpheus"));
  CHECK_THAT(table, Contains("\ngemm ") && Contains("\nspmv_csr_scalar ") && Contains("\nbfs_k1 ") && Contains("\nbfs_k2 "));
  for (const char* config : {"private", "dc_l1", "ata", "morpheus"}) {
    const std::string uart = read_file(folder / "o" / config / "uart.txt");
    CHECK_THAT(uart, Contains("all results correct") && !Contains("WRONG"));
    const auto result = read_json(folder / "o" / config / "result.json");
    CHECK(result["kernels"].size() == 28);  // gemm, spmv, and two launches for each of 13 levels
    CHECK(result["run"]["warp_instructions"] == 84'480 + 23'986 + 113'384);
    CHECK(result["inputs"]["firmware"] == "demo");
  }
}

TEST_CASE("kernels and the UART do not depend on the quantum, nor on checks, nor on the order within a phase") {
  const TemporaryFolder folder;
  const auto uart_of = [&](const std::string& name, std::vector<std::string> more) {
    more.insert(more.end(), {"--config=ata", "--out=" + name, "--uart=" + name + ".txt", "--quiet"});
    const Ended ended = wharf(folder, [&] {
      more.insert(more.begin(), "vp");
      return more;
    }());
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return read_file(folder / (name + ".txt"));
  };
  const std::string uart = uart_of("a", {});
  CHECK_THAT(uart, Contains("all results correct"));
  CHECK(uart_of("b", {"--quantum-ns=10"}) == uart);
  CHECK(uart_of("c", {"--quantum-ns=1000000"}) == uart);
  CHECK(uart_of("d", {"--verify"}) == uart);
  CHECK(read_file(folder / "a/stats.csv") == read_file(folder / "b/stats.csv"));
  CHECK(read_file(folder / "a/stats.csv") == read_file(folder / "c/stats.csv"));
}

TEST_CASE(
    "a host that watches an array while a kernel writes it sees it at the same time with any quantum, not by a pointer ahead of time") {
  const TemporaryFolder folder;
  const Ended ended = boot(folder, "test_coherent");
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("while the kernel runs") && Contains("written through"));
  const std::string seen = ended.output.substr(0, ended.output.find(" ns"));
  for (const char* quantum : {"--quantum-ns=10", "--quantum-ns=1000000"})
    CHECK_THAT(boot(folder, "test_coherent", {"--config=private", quantum}).output, Contains(seen));
}

TEST_CASE("a host sees a store when it has reached L2, and what it writes itself is what the next kernel reads") {
  const TemporaryFolder folder;
  const auto seen = [&](const std::vector<std::string>& more) {
    const Ended ended = boot(folder, "test_coherent", more);
    INFO(ended.output);
    CHECK(ended.exit_code == 0);
    CHECK_THAT(ended.output, Contains("while the kernel runs") && Contains("written through"));
    return std::stoul(ended.output.substr(ended.output.find("seen at ") + 8));
  };
  // The latency of the network, 500 cycles at 700 MHz, is several times the interval at which the host polls.
  const std::string config = "--config=private", slow = "--set=network.crossbar.latency=500";
  const auto at_issue = seen({config, slow, "--set=data=none"}), at_l2 = seen({config, slow});
  CHECK(at_l2 > at_issue + 500);
  CHECK(at_l2 == seen({config, slow, "--quantum-ns=100000"}));
}

TEST_CASE("a host that computes and polls while kernels run gets what they computed") {
  const TemporaryFolder folder;
  const Ended ended = boot(folder, "test_host");
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("correct, the host polled meanwhile, 20 kernels"));
  CHECK(read_json(folder / "out/vp/result.json")["kernels"].size() == 20);
}

TEST_CASE("every mistake in a command ends in the error register, and a reset mends it") {
  const TemporaryFolder folder;
  const Ended ended = boot(folder, "test_gpu_errors");
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  for (const char* line : {
           "ring misaligned: error 1 argument 0 command 0 status 2",
           "ring size: error 1 argument 0 command 0 status 2",
           "ring outside RAM: error 1 argument 0 command 0 status 2",
           "ring overflow: error 2 argument 0 command 0 status 2",
           "unknown command: error 3 argument 0 command 0 status 2",
           "unknown kernel: error 4 argument 0 command 0 status 2",
           "argument missing: error 5 argument 5 command 0 status 2",
           "number out of range: error 6 argument 4 command 0 status 2",
           "array unmapped: error 7 argument 2 command 0 status 2",
           "array beyond RAM: error 7 argument 2 command 0 status 2",
           "array too small: error 9 argument 1 command 0 status 2",
           "array misaligned: error 8 argument 0 command 0 status 2",
           "numbers at odds: error 6 argument 6 command 0 status 2",
           "ring changed while busy: error 10 argument 0 command 0 status 2",
           "launch 1 error 0 found 1 1 1",
       })
    CHECK_THAT(ended.output, Contains(line));
}

TEST_CASE("the timer interrupts when it is due, and counters can be read") {
  const TemporaryFolder folder;
  const Ended ended = boot(folder, "test_timer");
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("slept 12345 ns") && Contains("cycles count instructions") && Contains("both clocks agree"));
}

TEST_CASE("firmware that cannot go on ends with its mistake, the place and the cause") {
  struct Mistake {
    const char *firmware, *message;
  };
  const TemporaryFolder folder;
  for (const Mistake& mistake : {
           Mistake{"illegal", "executes an illegal instruction: 0xffffffff (cause 2), and has installed no handler; pc 0x"},
           Mistake{"unmapped", "stores to an address where nothing can be written: 0x50000008 (cause 7)"},
           Mistake{"nowhere", "jumps to an address where there is no memory: 0x40000000 (cause 1)"},
           Mistake{"zero", "jumps to an address where there is no memory (cause 1), and has installed no handler; pc 0x0"},
           Mistake{"ecall", "calls an environment that there is not (ecall) (cause 11)"},
           Mistake{"forever", "waits for an interrupt that nothing will raise (wfi); pc 0x"},
           Mistake{"sleepless", "waits for an interrupt that nothing will raise (wfi); pc 0x"},
           Mistake{"exit_code", "the firmware ended with exit code 3"},
           Mistake{"user_mode", "leaves machine mode, the only one that this CPU has"},
       }) {
    const Ended ended = boot(folder, std::string("test_") + mistake.firmware);
    INFO(mistake.firmware << ": " << ended.output);
    CHECK(ended.exit_code == 1);
    CHECK_THAT(ended.output, Contains("before\n") && Contains(mistake.message));
  }
  CHECK_THAT(boot(folder, "test_illegal").output, Contains(" in mistake+0x0, "));
}

TEST_CASE("firmware that has a handler gets its exceptions and goes on") {
  const TemporaryFolder folder;
  const Ended ended = boot(folder, "test_handled");
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("handled cause 2 value ffffffff\nhandled cause 11 value 0\nhandled cause 3 value 0\n"
                                    "handled cause 5 value 50000008\nhandled cause 7 value 50000010\nhandled cause 5 value 20000800\n"
                                    "still here\n"));
}

TEST_CASE("firmware that does not end is ended by a limit") {
  const TemporaryFolder folder;
  const Ended time = boot(folder, "test_endless", {"--config=private", "--limit-time=100"});
  CHECK(time.exit_code == 1);
  CHECK_THAT(time.output, Contains("has not ended within 100 us of simulated time; --limit-time raises this") && Contains("100000 ns"));
  const Ended instructions = boot(folder, "test_endless", {"--config=private", "--limit-instructions=5000"});
  CHECK(instructions.exit_code == 1);
  CHECK_THAT(instructions.output, Contains("within 5000 instructions") && Contains("5000 instructions"));
}

TEST_CASE("what is not firmware is refused with the reason") {
  const TemporaryFolder folder;
  const std::string elf = read_file(firmware("test_timer"));
  const auto refused = [&](const std::string& text, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"vp", folder.file("f.elf", text), "--config=private"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended ended = wharf(folder, arguments);
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  const auto changed = [&](std::size_t at, char to) {
    std::string text = elf;
    text[at] = to;
    return text;
  };
  CHECK_THAT(refused("#!/bin/sh\n"), Contains("is not an ELF file"));
  CHECK_THAT(refused(changed(4, 1)), Contains("is not a 64-bit little-endian ELF file"));
  CHECK_THAT(refused(changed(18, 62)), Contains("is for another processor than RISC-V (machine 62)"));
  CHECK_THAT(refused(changed(16, 1)), Contains("is not linked to an address"));
  CHECK_THAT(refused(elf.substr(0, 100)), Contains("ends before its program headers"));
  CHECK_THAT(refused(changed(56, 0)), Contains("has nothing to load"));
  CHECK_THAT(refused(elf, {"--ram-mib=1"}), Contains("lies outside RAM, which is 1 MiB at 0x80000000"));
  const Ended missing = wharf(folder, {"vp", "none.elf", "--config=private"});
  CHECK(missing.exit_code == 2);
  CHECK_THAT(missing.output, Contains("none.elf"));
  const Ended config = boot(folder, "test_timer", {"--config=privat"});
  CHECK(config.exit_code == 2);
  CHECK_THAT(config.output, Contains("did you mean"));
}

}  // namespace
}  // namespace wharf::cli
