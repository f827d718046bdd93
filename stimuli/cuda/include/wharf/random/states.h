#pragma once
// What a thread keeps of its generator. Sizes are cuRAND's, so that arrays of states take the same sectors.

/// The second number of a pair of normal ones, for the next call. Zeros mean that there is none.
#define WHARF_SECOND_NORMALS \
  int has_normal;            \
  int has_normal_double;     \
  float second_normal;       \
  double second_normal_double;

struct curandStateXORWOW {
  unsigned weyl;      // grows by a constant per number
  unsigned words[5];  // of the shift register, oldest first
  WHARF_SECOND_NORMALS
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

struct curandStatePhilox4_32_10 {
  uint4 counter;
  uint4 output;  // of the counter
  uint2 key;
  unsigned used;  // words of the output, 0 to 3
  WHARF_SECOND_NORMALS
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

struct curandStateMRG32k3a {
  unsigned first[3], second[3];  // the last numbers of both recurrences, oldest first
  WHARF_SECOND_NORMALS
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
#undef WHARF_SECOND_NORMALS

#if defined(__clang__)
#define WHARF_MISSING(name, remedy)                 \
  struct __attribute__((unavailable(remedy))) name; \
  typedef struct name name##_t __attribute__((unavailable(remedy)));
#define WHARF_OTHER_GENERATORS \
  "Wharf does not have this generator; use XORWOW (curandState), Philox (curandStatePhilox4_32_10_t) or MRG32k3a (curandStateMRG32k3a_t)"
// Which the programs of these generators have, so that the message is about the generator.
typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
WHARF_MISSING(curandStateMtgp32, WHARF_OTHER_GENERATORS)
WHARF_MISSING(curandStateSobol32, WHARF_OTHER_GENERATORS)
WHARF_MISSING(curandStateScrambledSobol32, WHARF_OTHER_GENERATORS)
WHARF_MISSING(curandStateSobol64, WHARF_OTHER_GENERATORS)
WHARF_MISSING(curandStateScrambledSobol64, WHARF_OTHER_GENERATORS)
WHARF_MISSING(curandDiscreteDistribution,
              "Wharf lacks cuRAND's host functions, which make tables of distributions; use curand_poisson or curand_uniform")
#undef WHARF_OTHER_GENERATORS
#undef WHARF_MISSING
#endif
