/* The host alone, for `wharf bench`: integer arithmetic, loads and stores. */
#include <stdint.h>
#include <stdio.h>

enum { words = 4096, rounds = 1500 };

int main(void) {
  static uint32_t data[words];
  uint32_t sum = 1;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < words; ++i) {
      sum = sum * 5u + (uint32_t)i;
      data[i] ^= sum;
    }
  }
  printf("%08x\n", (unsigned)(sum ^ data[17]));
  return 0;
}
