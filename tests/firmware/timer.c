/* Time in firmware: the timer's interrupt, and the counters that software may read. */
#include <stdio.h>

#include "platform.h"

static uint64_t counter(void) {
  uint64_t value;
  __asm__ volatile("rdcycle %0" : "=r"(value));
  return value;
}

static uint64_t time_csr(void) {
  uint64_t value;
  __asm__ volatile("rdtime %0" : "=r"(value));
  return value;
}

int main(void) {
  const uint64_t begin = now_ns();
  sleep_until_ns(begin + 12345);
  const uint64_t slept = now_ns() - begin;
  printf("slept %s\n", slept >= 12345 && slept < 12345 + 500 ? "12345 ns" : "too long or too short");
  const uint64_t before = counter();
  for (volatile int i = 0; i < 1000; ++i) {
  }
  const uint64_t cycles = counter() - before;
  printf("%s\n", cycles > 3000 && cycles < 20000 ? "cycles count instructions" : "cycles are wrong");
  const uint64_t csr = time_csr(), timer = now_ns();
  printf("%s\n", timer >= csr && timer - csr < 200 ? "both clocks agree" : "clocks differ");
  return 0;
}
