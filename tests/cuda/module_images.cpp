// Containers, fat binaries, LZ4 blocks, signatures of kernels, and the check of a program's file.

#include <zstd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <random>

#include "model/base/error.h"
#include "stimuli/cuda/modules/container.h"
#include "stimuli/cuda/modules/fat_binary.h"
#include "stimuli/cuda/modules/kernel_signature.h"
#include "stimuli/cuda/modules/lz4_block.h"
#include "stimuli/cuda/modules/module_image.h"
#include "stimuli/cuda/process/executable_check.h"
#include "tests/cuda/build_program.h"

using namespace wharf;
using namespace wharf::cuda;
using namespace wharf::cuda::test;
using Catch::Matchers::Contains;

namespace {

const std::string kPtx = "// a comment\n.version 7.2\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n";

template <class Number>
std::string bytes_of(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

/// An entry of a fat binary in nvcc's layout.
std::string entry(bool ptx, std::uint32_t architecture, std::uint64_t flags, const std::string& payload, std::uint64_t raw_bytes) {
  std::string padded = payload;
  padded.resize((payload.size() + 7) / 8 * 8);
  return bytes_of<std::uint16_t>(ptx ? 1 : 2) + bytes_of<std::uint16_t>(0x0101) + bytes_of<std::uint32_t>(80) +
         bytes_of<std::uint64_t>(padded.size()) + bytes_of<std::uint32_t>(static_cast<std::uint32_t>(payload.size())) +
         std::string(8, '\0') + bytes_of(architecture) + std::string(8, '\0') + bytes_of(flags) + std::string(8, '\0') +
         bytes_of(raw_bytes) + std::string(16, '\0') + padded;
}

std::string fat_binary(const std::string& entries) {
  return bytes_of<std::uint32_t>(0xba55ed50) + bytes_of<std::uint16_t>(1) + bytes_of<std::uint16_t>(16) +
         bytes_of<std::uint64_t>(entries.size()) + entries;
}

std::string zstd_frame(const std::string& text) {
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), 3));
  return frame;
}

/// All literals: the simplest LZ4 block.
std::string lz4_literals(const std::string& text) {
  std::string block(1, static_cast<char>(text.size() < 15 ? text.size() << 4 : 0xf0));
  if (text.size() >= 15) {
    std::size_t rest = text.size() - 15;
    for (; rest >= 255; rest -= 255) block += '\xff';
    block += static_cast<char>(rest);
  }
  return block + text;
}

}  // namespace

TEST_CASE("An image is told by its first bytes") {
  CHECK(read_module_image(kPtx, "app")[0].text == kPtx);
  CHECK(read_module_image("/* c */ " + kPtx, "app").size() == 1);
  const std::vector<PtxText> texts = {{"a.cu", "clang 14 -O3", kPtx}, {"b.cu", "", ".version 6.0\n"}};
  const auto unpacked = read_module_image(pack_container(texts), "app");
  REQUIRE(unpacked.size() == 2);
  CHECK(unpacked[0].path == "a.cu");
  CHECK(unpacked[0].flags == "clang 14 -O3");
  CHECK(unpacked[1].text == ".version 6.0\n");
  CHECK(read_module_image(fat_binary(entry(true, 75, 0, kPtx, 0)), "app")[0].text == kPtx);
  CHECK_THROWS_WITH(read_module_image("\x7f"
                                      "ELF",
                                      "app"),
                    Contains("app: the device code is neither PTX, nor a container of `wharf nvcc`"));
  CHECK_THROWS_AS(read_module_image("", "app"), InputError);
  CHECK_THROWS_AS(read_module_image("/* no end", "app"), InputError);
}

TEST_CASE("The PTX of a fat binary is decompressed, and the highest architecture up to 90 is taken") {
  const std::string older = ".version 6.4\n", newest = ".version 9.0\n";
  const std::string image = fat_binary(entry(true, 52, 0, older, 0) +
                                       entry(false, 80, 0,
                                             "\x7f"
                                             "ELF",
                                             0) +
                                       entry(true, 75, 0x8000, zstd_frame(kPtx), kPtx.size()) + entry(true, 120, 0, newest, 0));
  CHECK(ptx_of_fat_binary(image, "app") == kPtx);
  CHECK(ptx_of_fat_binary(fat_binary(entry(true, 75, 0x2000, lz4_literals(kPtx), kPtx.size())), "app") == kPtx);
  const auto entries = entries_of_fat_binary(image, "app");
  REQUIRE(entries.size() == 4);
  CHECK_FALSE(entries[1].is_ptx);
  CHECK(entries[2].architecture == 75);
}

TEST_CASE("A fat binary without usable PTX says how to rebuild") {
  CHECK_THROWS_WITH(ptx_of_fat_binary(fat_binary(entry(false, 80, 0, "ELF", 0)), "app"),
                    Contains("app: this program holds machine code only; rebuild with `-gencode arch=compute_70,code=compute_70`"));
  CHECK_THROWS_WITH(ptx_of_fat_binary(fat_binary(entry(true, 100, 0, kPtx, 0)), "app"), Contains("PTX for compute_100 and higher only"));
}

TEST_CASE("A damaged fat binary is an error, and never a crash") {
  const std::string image = fat_binary(entry(true, 75, 0x8000, zstd_frame(kPtx), kPtx.size()));
  CHECK_THROWS_WITH(ptx_of_fat_binary(image.substr(0, 40), "app"), Contains("the fat binary is damaged: it ends too early"));
  CHECK_THROWS_WITH(ptx_of_fat_binary(fat_binary(entry(true, 75, 0x8000, zstd_frame(kPtx), kPtx.size() + 1)), "app"),
                    Contains("zstd frame is damaged"));
  CHECK_THROWS_WITH(ptx_of_fat_binary(fat_binary(entry(true, 75, 0x8000, zstd_frame(kPtx), ~std::uint64_t{0})), "app"),
                    Contains("its PTX would have"));
  CHECK_THROWS_WITH(ptx_of_fat_binary(fat_binary(entry(true, 75, 0x2000, lz4_literals(kPtx), kPtx.size() - 1)), "app"),
                    Contains("LZ4 block is damaged"));
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = i % 2 == 0 ? image : pack_container({{"a.cu", "", kPtx}});
    bytes[random() % std::min<std::size_t>(bytes.size(), 120)] = static_cast<char>(random());
    if (i % 5 == 0) bytes.resize(random() % bytes.size());
    try {
      read_module_image(bytes, "app");
    } catch (const InputError&) {
      // expected of most
    }
  }
}

TEST_CASE("A damaged container is refused") {
  std::string container = pack_container({{"a.cu", "", kPtx}});
  CHECK_THROWS_WITH(unpack_container(container + "x", "app"), Contains("the container of PTX is damaged: it names"));
  container.back() = static_cast<char>(container.back() + 1);
  CHECK_THROWS_WITH(unpack_container(container, "app"), Contains("a text does not match its hash"));
}

TEST_CASE("An LZ4 block decodes literals, matches, overlaps and long lengths") {
  std::string out;
  const std::string abc = std::string(
                              "\x35"
                              "abc\x03\x00",
                              6) +
                          std::string(
                              "\x10"
                              "z",
                              2);  // abc, 9 bytes from 3 back, z
  CHECK(decode_lz4_block(abc, 13, out));
  CHECK(out == "abcabcabcabcz");
  const std::string run = std::string(
                              "\x1f"
                              "a\x01\x00\xff\x05",
                              6) +
                          std::string("\x00", 1);  // a, then 4 + 15 + 260 more
  CHECK(decode_lz4_block(run, 280, out));
  CHECK(out == std::string(280, 'a'));
  CHECK(decode_lz4_block(lz4_literals(std::string(300, 'q')), 300, out));
  CHECK(decode_lz4_block("", 0, out));
}

TEST_CASE("A damaged LZ4 block is refused within the given size") {
  std::string out;
  CHECK_FALSE(decode_lz4_block(std::string("\x35"
                                           "abc\x04\x00\x00",
                                           7),
                               12, out));  // from before the beginning
  CHECK_FALSE(decode_lz4_block(std::string("\x35"
                                           "abc\x00\x00\x00",
                                           7),
                               12, out));  // distance 0
  CHECK_FALSE(decode_lz4_block(std::string("\x35"
                                           "abc\x03\x00\x00",
                                           7),
                               11, out));  // longer than declared
  CHECK_FALSE(decode_lz4_block(std::string("\x35"
                                           "abc\x03",
                                           5),
                               12, out));                      // ends in the distance
  CHECK_FALSE(decode_lz4_block("\xf0\xff\xff", 100000, out));  // ends in a length
  CHECK_FALSE(
      decode_lz4_block("\x50"
                       "abc",
                       5, out));  // ends in the literals
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string block(random() % 40, '\0');
    for (char& byte : block) byte = static_cast<char>(random());
    decode_lz4_block(block, 1000, out);
    CHECK(out.size() <= 1000);
  }
}

TEST_CASE("A signature gives each parameter's place, as the compilers write them") {
  KernelDescription description;
  const std::string ptx =
      ".version 7.2\n.visible .entry first(\n\t.param .u32 first_param_0,\n\t.param .align 8 .b8 first_param_1[24],\n"
      "\t.param .u8 first_param_2,\n\t.param .f64 first_param_3,\n\t.param .u64 .ptr .global .align 4 first_param_4\n)\n.maxntid 1, 1, "
      "1\n{ ret; }\n"
      ".entry /* none */ second { ret; }\n.weak .entry third(.param .b16 x // half\n) { ret; }\n";
  REQUIRE(read_signature(ptx, "first", description));
  const std::vector<std::pair<unsigned, unsigned>> expected = {{0, 4}, {8, 24}, {32, 1}, {40, 8}, {48, 8}};
  REQUIRE(description.parameters.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(description.parameters[i].offset == expected[i].first);
    CHECK(description.parameters[i].bytes == expected[i].second);
  }
  CHECK(description.parameter_bytes == 56);
  REQUIRE(read_signature(ptx, "second", description));
  CHECK(description.parameters.empty());
  REQUIRE(read_signature(ptx, "third", description));
  CHECK(description.parameter_bytes == 2);
  CHECK_FALSE(read_signature(ptx, "fourth", description));
  CHECK(kernels_of(ptx) == std::vector<std::string>{"first", "second", "third"});
}

TEST_CASE("A signature that cannot be read is refused, and never a crash") {
  KernelDescription description;
  for (const char* head : {"(", "(.param", "(.param .u32", "(.param .b8 x[", "(.param .b8 x[99999999999])", "(.param .align 3 .u32 x)",
                           "(.param x)", "(.param .u33 x)", "(.param .u32 x,", "(.param .b8 x[40000])"}) {
    INFO(head);
    CHECK_FALSE(read_signature(std::string(".entry k") + head, "k", description));
  }
}

TEST_CASE("A program's file is checked before it starts") {
  CHECK_NOTHROW(check_executable(build_program("vector_addition")));
  CHECK_THROWS_WITH(check_executable("/nonexistent/app"), Contains("/nonexistent/app: cannot be read"));
  const std::string path = build_folder() + "/file";
  std::ofstream(path) << "no program";
  CHECK_THROWS_WITH(check_executable(path), Contains("this is not a program for this machine"));
  std::ofstream(path) << "#!/bin/sh\nexec app\n";
  CHECK_NOTHROW(check_executable(path));
  // A program with the registration functions inside, as the static runtime leaves one.
  std::ofstream(path + ".c") << "void __cudaRegisterFatBinary(void) {}\nint main(void) { return 0; }\n";
  REQUIRE(std::system(("cc " + path + ".c -o " + path + ".static").c_str()) == 0);
  CHECK_THROWS_WITH(check_executable(path + ".static"),
                    Contains("was linked with the static CUDA runtime, which never calls Wharf; link it with `nvcc --cudart shared`"));
}

TEST_CASE("A damaged program file is never a crash") {
  std::ifstream file(build_program("vector_addition"), std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string path = build_folder() + "/damaged";
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    std::string bytes = whole;
    for (int j = 0; j < 4; ++j) bytes[random() % 1200] = static_cast<char>(random());
    if (i % 4 == 0) bytes.resize(random() % bytes.size());
    std::ofstream(path, std::ios::binary) << bytes;
    try {
      check_executable(path);
    } catch (const InputError&) {
      // expected of most
    }
  }
}
