// The functions on two halves and four bytes of a register, against plain loops over the parts.
#include <cstdio>
#include <cstdlib>

constexpr unsigned kPairs = 2048, kThreads = 256;

// The name without the number of parts, whether the parts are signed, whether results are clamped, and the result of the parts x and y.
#define OF_TWO(F)                                      \
  F(__vadd, false, false, x + y)                       \
  F(__vaddss, true, true, x + y)                       \
  F(__vaddus, false, true, x + y)                      \
  F(__vsub, false, false, x - y)                       \
  F(__vsubss, true, true, x - y)                       \
  F(__vsubus, false, true, x - y)                      \
  F(__vavgs, true, false, (x + y + (x + y >= 0)) >> 1) \
  F(__vavgu, false, false, (x + y + 1) >> 1)           \
  F(__vhaddu, false, false, (x + y) >> 1)              \
  F(__vabsdiffs, true, false, abs(x - y))              \
  F(__vabsdiffu, false, false, abs(x - y))             \
  F(__vmaxs, true, false, x > y ? x : y)               \
  F(__vmaxu, false, false, x > y ? x : y)              \
  F(__vmins, true, false, x < y ? x : y)               \
  F(__vminu, false, false, x < y ? x : y)              \
  F(__vcmpeq, false, false, -(x == y))                 \
  F(__vcmpne, false, false, -(x != y))                 \
  F(__vcmpges, true, false, -(x >= y))                 \
  F(__vcmpgeu, false, false, -(x >= y))                \
  F(__vcmpgts, true, false, -(x > y))                  \
  F(__vcmpgtu, false, false, -(x > y))                 \
  F(__vcmples, true, false, -(x <= y))                 \
  F(__vcmpleu, false, false, -(x <= y))                \
  F(__vcmplts, true, false, -(x < y))                  \
  F(__vcmpltu, false, false, -(x < y))                 \
  F(__vseteq, false, false, x == y)                    \
  F(__vsetne, false, false, x != y)                    \
  F(__vsetges, true, false, x >= y)                    \
  F(__vsetgeu, false, false, x >= y)                   \
  F(__vsetgts, true, false, x > y)                     \
  F(__vsetgtu, false, false, x > y)                    \
  F(__vsetles, true, false, x <= y)                    \
  F(__vsetleu, false, false, x <= y)                   \
  F(__vsetlts, true, false, x < y)                     \
  F(__vsetltu, false, false, x < y)
#define OF_ONE(F)                 \
  F(__vabs, true, false, abs(x))  \
  F(__vabsss, true, true, abs(x)) \
  F(__vneg, true, false, -x)      \
  F(__vnegss, true, true, -x)
// Those whose result is a sum over the parts.
#define SUMS(F)                       \
  F(__vsads, true, false, abs(x - y)) \
  F(__vsadu, false, false, abs(x - y))

struct Function {
  const char* name;
  bool sign, clamps, sums;
  int (*result)(int x, int y);
};
const Function kFunctions[] = {
#define ROW(name, sign, clamps, result) \
  {#name, sign, clamps, false, [](int x, int y) { return static_cast<void>(y), static_cast<int>(result); }},
    OF_TWO(ROW) OF_ONE(ROW)
#undef ROW
#define ROW(name, sign, clamps, result) {#name, sign, clamps, true, [](int x, int y) { return static_cast<int>(result); }},
        SUMS(ROW)
#undef ROW
};
constexpr unsigned kFunctionCount = sizeof kFunctions / sizeof kFunctions[0];

/// Two results per function and pair: of halves and of bytes.
__global__ void compute(const unsigned* a, const unsigned* b, unsigned* out) {
  const unsigned pair = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned* to = out + pair * 2 * kFunctionCount;
#define CALL(name, ...)              \
  *to++ = name##2(a[pair], b[pair]); \
  *to++ = name##4(a[pair], b[pair]);
#define CALL_ONE(name, ...) \
  *to++ = name##2(a[pair]); \
  *to++ = name##4(a[pair]);
  OF_TWO(CALL)
  OF_ONE(CALL_ONE)
  SUMS(CALL)
}

int part_of(unsigned value, unsigned from, unsigned bits, bool sign) {
  const int part = static_cast<int>(value >> from & ((1u << bits) - 1));
  return sign && part >> (bits - 1) != 0 ? part - (1 << bits) : part;
}

unsigned expected(const Function& function, unsigned a, unsigned b, unsigned bits) {
  const int least = function.sign ? -(1 << (bits - 1)) : 0, most = (1 << (function.sign ? bits - 1 : bits)) - 1;
  unsigned all = 0;
  for (unsigned from = 0; from < 32; from += bits) {
    int result = function.result(part_of(a, from, bits, function.sign), part_of(b, from, bits, function.sign));
    if (function.clamps) result = result < least ? least : result > most ? most : result;
    all = function.sums ? all + result : all | (static_cast<unsigned>(result) & ((1u << bits) - 1)) << from;
  }
  return all;
}

int main() {
  const unsigned edges[] = {0, 1, 0x7f, 0x80, 0x81, 0xff, 0x7fff, 0x8000, 0x80007fff, 0x7f807f80, 0xffffffff, 0x80808080, 0x01ff0180};
  constexpr unsigned kEdges = sizeof edges / sizeof edges[0];
  unsigned *a, *b, *out, wrong = 0;
  cudaMallocManaged(&a, kPairs * sizeof *a);
  cudaMallocManaged(&b, kPairs * sizeof *b);
  cudaMallocManaged(&out, kPairs * 2 * kFunctionCount * sizeof *out);
  unsigned random = 1;
  for (unsigned i = 0; i < kPairs; ++i) {
    random = random * 1664525u + 1013904223u;
    a[i] = i < kEdges * kEdges ? edges[i / kEdges] : random ^ random >> 15;
    random = random * 1664525u + 1013904223u;
    b[i] = i < kEdges * kEdges ? edges[i % kEdges] : random ^ random >> 13;
  }
  compute<<<kPairs / kThreads, kThreads>>>(a, b, out);
  cudaDeviceSynchronize();
  for (unsigned f = 0; f < kFunctionCount; ++f) {
    for (unsigned i = 0; i < 2 * kPairs; ++i) {
      const unsigned pair = i / 2, bits = i % 2 == 0 ? 16 : 8, found = out[(pair * kFunctionCount + f) * 2 + i % 2];
      const unsigned right = expected(kFunctions[f], a[pair], b[pair], bits);
      if (found == right) continue;
      if (wrong++ < 10) std::printf("%s%u(%#x, %#x) is %#x, not %#x\n", kFunctions[f].name, 32 / bits, a[pair], b[pair], found, right);
    }
  }
  std::printf("video functions: %s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong == 0 ? 0 : 1;
}
