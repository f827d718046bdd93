// Bytes in the caches of whole GPUs (`data: bytes`): debug access finds the data in caches, and no result changes.

#include <catch2/catch.hpp>
#include <map>

#include "model/monitor/kernel_failure.h"
#include "model/sm/local_layout.h"
#include "platforms/cli/stimuli.h"
#include "platforms/frame/gpu_frame.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

using Line = std::array<std::byte, kLineBytes>;

/// The arrays of a stimulus as a host's memory. It remembers that something outside the model overwrote it, and keeps the initial bytes.
class HostMemory final : public ByteImage {
 public:
  explicit HostMemory(Stimulus& stimulus) : stimulus_(stimulus) {}
  void read(Address address, std::byte* to, std::size_t count) const override {
    Line line;
    stimulus_.contents(LineAddress::of(address), line);
    std::copy_n(line.begin() + address % kLineBytes, count, to);
    if (tampered) std::transform(to, to + count, to, [](std::byte b) { return ~b; });
  }
  void write(Address address, const std::byte* from, std::size_t count) override { REQUIRE(stimulus_.store(address, from, count)); }
  bool tampered = false;  // something outside the model overwrote all of it

 private:
  Stimulus& stimulus_;
};

struct Machine : RunObserver {
  Machine(const GpuParams& params, const std::string& spec, const RunOptions& given, bool has_host = true)
      : stimulus(cli::open_named_stimulus(spec, 1)),
        host(*stimulus),
        options(has_host ? with_image(given) : given),
        frame(make_platform(params, options, *stimulus, registry, *this)) {}
  RunOptions with_image(RunOptions given) {
    given.image = &host;
    return given;
  }
  void kernel_started(const KernelLaunch&, unsigned, Cycle) override {}
  void kernel_ended(const KernelLaunch&, unsigned, bool, Cycle) override {
    if (frame->golden() != nullptr) frame->golden()->kernel_boundary();
    if (at_end) at_end();
    frame->contents()->forget();
  }
  bool cta_started(std::uint32_t, std::uint32_t, std::uint64_t, Cycle) override { return true; }
  void cta_ended(std::uint32_t, std::uint32_t, Cycle) override {}

  std::vector<std::byte> debug(tlm::tlm_command command, Address address, std::vector<std::byte> bytes) {
    tlm::tlm_generic_payload transaction;
    transaction.set_command(command);
    transaction.set_address(address);
    transaction.set_data_ptr(reinterpret_cast<unsigned char*>(bytes.data()));
    transaction.set_data_length(static_cast<unsigned>(bytes.size()));
    CHECK(frame->debug(transaction) == bytes.size());
    return bytes;
  }
  std::vector<std::byte> read(Address address, std::size_t bytes) {
    return debug(tlm::TLM_READ_COMMAND, address, std::vector<std::byte>(bytes));
  }
  std::vector<std::byte> in_image(Address address, std::size_t bytes) {
    std::vector<std::byte> all(bytes);
    for (std::size_t at = 0; at < bytes; at += kLineBytes) host.read(address + at, all.data() + at, kLineBytes);
    return all;
  }

  stats::Registry registry;
  std::unique_ptr<Stimulus> stimulus;
  HostMemory host;
  RunOptions options;
  std::unique_ptr<GpuFrame> frame;
  std::function<void()> at_end;
};

constexpr Address kArrays = Address{1} << 32;  // address of a stimulus's first array
constexpr std::size_t kBytes = 512 * 1024;

/// At the end of a kernel, caches hold its results. Then something else overwrites all of the host's memory.
void check_bytes(const std::string& configuration, std::vector<std::string> settings = {}) {
  settings.emplace_back("data=bytes");
  Machine machine(test::machine(configuration, settings), "vectoradd@tiny", checked());
  unsigned kernels = 0;
  machine.at_end = [&] {
    ++kernels;
    const std::vector<std::byte> image = machine.in_image(kArrays, kBytes);
    REQUIRE(machine.read(kArrays, kBytes) == image);
    machine.host.tampered = true;
    const std::vector<std::byte> seen = machine.read(kArrays, kBytes);
    machine.host.tampered = false;
    std::size_t held = 0;
    for (std::size_t at = 0; at < kBytes; at += kLineBytes) {
      const bool same =
          std::equal(seen.begin() + static_cast<std::ptrdiff_t>(at), seen.begin() + static_cast<std::ptrdiff_t>(at + kLineBytes),
                     image.begin() + static_cast<std::ptrdiff_t>(at));
      held += same;
      if (same) REQUIRE(machine.frame->holds(kArrays + at, 1));
    }
    CHECK(held > 0);
    CHECK_FALSE(machine.frame->holds(0x1000, 4096));
    const std::vector<std::byte> three(3, std::byte{0x5A});
    machine.debug(tlm::TLM_WRITE_COMMAND, kArrays + kLineBytes - 1, three);
    CHECK(machine.read(kArrays + kLineBytes - 1, 3) == three);
  };
  run_kernel();
  CHECK(kernels > 0);
  CHECK(machine.frame->leftovers().empty());
}

}  // namespace

TEST_CASE("data bytes: without a host's memory the image is the stimulus's arrays, and what is written beside them is kept") {
  Machine machine(test::machine("private", {"sms=2", "data=bytes"}), "vectoradd@tiny", {}, false);
  unsigned kernels = 0;
  machine.at_end = [&] {
    ++kernels;
    CHECK(machine.read(kArrays, kBytes) == machine.in_image(kArrays, kBytes));
    const std::vector<std::byte> bytes(200, std::byte{0x77});
    machine.debug(tlm::TLM_WRITE_COMMAND, 0x1010, bytes);
    CHECK(machine.read(0x1010, 200) == bytes);
    CHECK(machine.read(0x1000, 16) == std::vector<std::byte>(16));
    machine.debug(tlm::TLM_WRITE_COMMAND, kArrays + 3, {std::byte{0x42}});
    CHECK(machine.in_image(kArrays, kLineBytes)[3] == std::byte{0x42});
  };
  run_kernel();
  CHECK(kernels == 1);
}
TEST_CASE("data bytes: debug access sees what the caches of private hold") { check_bytes("private", {"sms=8"}); }
TEST_CASE("data bytes: debug access sees what the caches of a dc_l1 hold") { check_bytes("dc_l1"); }
TEST_CASE("data bytes: debug access sees what the caches of an ata hold") { check_bytes("ata"); }
TEST_CASE("data bytes: debug access sees what the caches of a shared_l1 hold") { check_bytes("shared_l1"); }
TEST_CASE("data bytes: debug access sees what the caches of remote_sharing hold") { check_bytes("remote_sharing"); }
TEST_CASE("data bytes: debug access sees what the extended LLC holds") { check_bytes("morpheus/all", {"front_end.eligible_sms=20"}); }

TEST_CASE("data bytes: times and counters are those without them") {
  for (const char* configuration : {"private", "morpheus/all", "shared_l1"}) {
    INFO(configuration);
    const auto run = [&](const std::vector<std::string>& settings, const RunOptions& options) {
      const Outcome outcome = run_apart(
          machine(configuration, settings), [] { return cli::open_named_stimulus("bfs@tiny", 1); }, options);
      INFO(outcome.failure);
      REQUIRE(outcome.end == End::done);
      return outcome.csv;
    };
    CHECK(run({"data=bytes"}, {}) == run({}, {}));
    CHECK(run({"data=bytes"}, checked()) == run({}, checked()));
  }
}

TEST_CASE("data bytes: local memory that the machine lays out is held, and reads as zeros") {
  Machine machine(test::machine("gpus/volta_qv100", {"data=bytes"}), "ray@tiny", checked(), false);
  unsigned kernels = 0;
  machine.at_end = [&] {
    ++kernels;
    CHECK(machine.frame->holds(LocalLayout::kBase, kLineBytes));
    CHECK(machine.read(LocalLayout::kBase, 4096) == std::vector<std::byte>(4096));
  };
  run_kernel();
  CHECK(kernels == 1);
}

TEST_CASE("data bytes: without them debug access has nothing to give") {
  Machine machine(test::machine("private", {"sms=2"}), "vectoradd@tiny", {});
  tlm::tlm_generic_payload transaction;
  unsigned char byte = 0;
  transaction.set_command(tlm::TLM_READ_COMMAND);
  transaction.set_address(kArrays);
  transaction.set_data_ptr(&byte);
  transaction.set_data_length(1);
  CHECK(machine.frame->debug(transaction) == 0);
}

}  // namespace wharf::test
