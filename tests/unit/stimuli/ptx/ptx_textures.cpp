// Texture fetches: shapes, address modes, filters, formats (CU-31).
#include <catch2/catch.hpp>

#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;

namespace {

constexpr std::uint64_t kHandle = 77;

/// A texture of 4 x 2 floats 0, 1, ... 7, with rows 32 bytes apart.
Texture plane(PtxMachine& machine) {
  std::vector<float> texels(16, -100.0f);
  for (unsigned y = 0; y < 2; ++y)
    for (unsigned x = 0; x < 4; ++x) texels[8 * y + x] = static_cast<float>(4 * y + x);
  Texture texture;
  texture.base = machine.array(texels);
  texture.size = {4, 2, 1};
  texture.row_bytes = 32;
  return texture;
}

/// Fetches with lane 0. `fetch` writes %f1 to %f4 or %r1 to %r4; returns their bits.
std::vector<std::uint32_t> fetch(PtxMachine& machine, const Texture& texture, const std::string& fetch, bool integers = false) {
  const Address out = machine.zeros<std::uint32_t>(4);
  const std::string store = integers ? "st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};" : "st.global.v4.f32 [%rd2], {%f1, %f2, %f3, %f4};";
  PtxStimulus stimulus({{"t.ptx", kernel_of("ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];\n" + fetch + store + "ret;", 2)}},
                       machine.memory, {{"k", {1, 1, 1}, {1, 1, 1}, 0, ArgumentBytes().add(kHandle).add(out).bytes()}});
  stimulus.textures()[kHandle] = texture;
  REQUIRE(stimulus.next_kernel() != nullptr);
  machine.run_cta(stimulus.open_cta(0));
  return machine.read<std::uint32_t>(out, 4);
}

float first_float(const std::vector<std::uint32_t>& bits) {
  float value = 0;
  std::memcpy(&value, bits.data(), sizeof value);
  return value;
}
/// The fetch of a plane at (x, y).
std::string at(const std::string& x, const std::string& y) {
  return "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {" + x + ", " + y + "}];\n";
}

}  // namespace

TEST_CASE("the nearest texel is the one that contains the point") {
  PtxMachine machine;
  const Texture texture = plane(machine);
  CHECK(fetch(machine, texture, at("2.999", "1.0")) ==
        std::vector<std::uint32_t>{0x40C00000, 0, 0, 0x3F800000});  // 6, and 1 for the missing last channel
  CHECK(first_float(fetch(machine, texture,
                          "mov.u32 %r1, 3; mov.u32 %r2, 1; tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2}];\n")) == 7.0f);
}

TEST_CASE("address modes clamp, wrap, mirror and see the border") {
  PtxMachine machine;
  Texture texture = plane(machine);
  using Mode = Texture::AddressMode;
  const auto with = [&](Mode mode, const std::string& x) {
    texture.modes = {mode, mode, mode};
    return first_float(fetch(machine, texture, at(x, "0.5")));
  };
  CHECK(with(Mode::clamp, "9.0") == 3.0f);
  CHECK(with(Mode::clamp, "-5.0") == 0.0f);
  CHECK(with(Mode::wrap, "5.5") == 1.0f);
  CHECK(with(Mode::wrap, "-0.5") == 3.0f);
  CHECK(with(Mode::mirror, "4.5") == 3.0f);
  CHECK(with(Mode::mirror, "-1.5") == 1.0f);
  CHECK(with(Mode::border, "4.5") == 0.0f);
  CHECK(with(Mode::border, "3.5") == 3.0f);
}

TEST_CASE("a linear filter weighs four neighbours in steps of 1/256") {
  PtxMachine machine;
  Texture texture = plane(machine);
  texture.is_linear = true;
  CHECK(first_float(fetch(machine, texture, at("1.5", "0.5"))) == 1.0f);
  CHECK(first_float(fetch(machine, texture, at("2.0", "1.0"))) == 3.5f);
  CHECK(first_float(fetch(machine, texture, at("1.75", "0.5"))) == 1.25f);
  CHECK(first_float(fetch(machine, texture, at("1.501", "0.5"))) == 1.0f);
  texture.has_normalized_coordinates = true;
  CHECK(first_float(fetch(machine, texture, at("0.5", "0.5"))) == 3.5f);
}

TEST_CASE("integer channels come as they are, or normalised to floats") {
  PtxMachine machine;
  const std::vector<std::int8_t> bytes = {-128, 127, 64, -1};
  Texture texture;
  texture.base = machine.array(bytes);
  texture.channels = 4;
  texture.channel_bytes = 1;
  texture.kind = Texture::Kind::signed_integer;
  const std::string integers = "mov.u32 %r9, 0; tex.1d.v4.s32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%r9}];\n";
  CHECK(fetch(machine, texture, integers, true) == std::vector<std::uint32_t>{0xFFFFFF80, 127, 64, 0xFFFFFFFF});
  texture.reads_normalized = true;
  const auto floats = fetch(machine, texture, "mov.u32 %r9, 0; tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r9}];\n");
  CHECK(floats[0] == 0xBF800000u);
  CHECK(floats[1] == 0x3F800000u);
}

TEST_CASE("layers and volumes add their strides") {
  PtxMachine machine;
  Texture texture = plane(machine);
  texture.size = {4, 1, 2};
  texture.layer_bytes = 32;
  CHECK(first_float(fetch(machine, texture, "mov.u32 %r9, 1; tex.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%r9, 2.5}];\n")) == 6.0f);
  CHECK(first_float(fetch(machine, texture, "tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {1.5, 0.5, 1.5, 0.0}];\n")) == 5.0f);
}

TEST_CASE("a fetch is shown as a texture access of each lane's texel") {
  PtxMachine machine;
  const Texture texture = plane(machine);
  PtxStimulus stimulus(
      {{"t.ptx",
        kernel_of("ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}]; ret;", 1)}},
      machine.memory, {{"k", {1, 1, 1}, {4, 1, 1}, 0, ArgumentBytes().add(kHandle).bytes()}});
  stimulus.textures()[kHandle] = texture;
  REQUIRE(stimulus.next_kernel() != nullptr);
  const auto warps = stimulus.open_cta(0);
  warps[0]->advance();
  const WarpInstruction* const next = warps[0]->peek();
  REQUIRE(next != nullptr);
  CHECK(next->unit == Unit::texture);
  CHECK(next->active == 0xFu);
  CHECK(next->access_bytes == 4);
  CHECK(next->addresses[3] == texture.base + 12);
}

TEST_CASE("a fetch through an unknown handle is a fault") {
  PtxMachine machine;
  PtxStimulus stimulus({{"t.ptx", kernel_of("mov.u64 %rd1, 5; tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}]; ret;", 0)}},
                       machine.memory, {{"k", {1, 1, 1}, {1, 1, 1}, 0, {}}});
  REQUIRE(stimulus.next_kernel() != nullptr);
  CHECK_THROWS_WITH(machine.run_cta(stimulus.open_cta(0)), Catch::Contains("0x5 is the handle of no texture"));
}
