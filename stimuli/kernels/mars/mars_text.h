#pragma once
// Mars jobs that scan a text (workloads sections 6.1, 6.4 and 6.5). Each thread has a block of its own.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stimuli/inputs/web_text.h"
#include "stimuli/kernels/mars/mars.h"

namespace wharf::spmd::mars {

/// The input: records whose values are blocks.
struct Blocks {
  Array<Record> input;
  Array<Block> blocks;
  int count;
};

/// Reads the arguments records, block and scan.
inline BlockShape block_shape(const Arguments& arguments) {
  const BlockShape shape{arguments("records"), arguments("block"), arguments("scan")};
  arguments.require(shape.length <= shape.stride, "scan is the part of a block that has text, and must be at most block");
  return shape;
}

/// Declares those arguments and, for a job that sorts, those of the sort.
inline std::vector<Argument> text_arguments(const char* records, const char* block, bool sorts) {
  std::vector<Argument> arguments = {{"records", records, 1, 1 << 16, "blocks of text, one per thread"},
                                     {"block", block, 64, 4096, "bytes from one block to the next"},
                                     {"scan", "block", 64, 4096, "bytes of a block that are text"}};
  if (sorts) arguments.push_back({"sort_launches", "0", 0, 1000, "steps of the sort; 0: all"});
  return arguments;
}

/// Makes the blocks. Their records' keys are consecutive numbers.
inline Blocks make_blocks(Memory& memory, const BlockShape& shape) {
  const auto count = std::uint64_t(shape.blocks);
  const Blocks out{memory.array<Record>("input", count), memory.array<Block>("blocks", count), shape.blocks};
  for (int i = 0; i < shape.blocks; ++i) {
    constexpr Word kKey = sizeof(Word), kValue = sizeof(Block);
    out.input[std::uint64_t(i)] = {i * kKey, kKey, i * kValue, kValue};
    out.blocks[std::uint64_t(i)] = {0, i * shape.stride, shape.length};
  }
  return out;
}

/// Calls body(first character, end, input record) for the lanes that have a block.
template <class Body>
void with_blocks(Warp& w, const Blocks& k, Body body) {
  const auto thread = w.global_x();
  w.alu(6, here());
  const auto load_block = [&] {
    const auto record = w.load(k.input, thread, here());
    const auto begin = w.load(k.blocks, value_place<Block>(record), &Block::begin, here());
    const auto size = w.load(k.blocks, value_place<Block>(record), &Block::size, here());
    const auto end = w.compute(1, begin + size, here());
    body(begin, end, record);
  };
  w.where(thread < k.count, load_block, here());
}

/// Writing pass: calls begin_records() for each block. The Stage buffers the records.
inline Stage begin_blocks(Warp& w, const Blocks& k, const Emission& out) {
  const auto thread = w.global_x();
  const auto begin = [&] { begin_records(w, out, thread); };
  w.where(thread < k.count, begin, here());
  return Stage(w);
}

}  // namespace wharf::spmd::mars
