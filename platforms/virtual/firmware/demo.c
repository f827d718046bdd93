/* The demonstration: gemm, spmv and breadth-first search launched by name on arrays of the host, each checked against a plain loop on the
   host CPU. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "platform.h"

static uint32_t seed = 1;

/* A linear congruential generator: the same inputs on every host. */
static uint32_t draw(uint32_t below) {
  seed = seed * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

static void fill(float *data, int count) {
  for (int i = 0; i < count; ++i) data[i] = (float)draw(1000) / 500.0f - 1.0f;
}

/* Ends the run if the GPU reported an error. */
static void wait_for(const char *what, uint32_t launch) {
  const enum wharf_gpu_error error = gpu_wait(launch);
  if (error == WHARF_GPU_ERROR_NONE) return;
  printf("%s: the GPU refuses: error %d, argument %u\n", what, error, (unsigned)gpu_error_argument());
  exit(1);
}

struct totals {
  uint64_t counts[WHARF_GPU_COUNTS];
};

static void add_counts(struct totals *totals) {
  for (int i = 0; i < WHARF_GPU_COUNTS; ++i) totals->counts[i] += gpu_count((enum wharf_gpu_count)i);
}

static void report(const char *what, const struct totals *totals, int wrong) {
  const uint64_t *n = totals->counts;
  printf("%-5s %8lu cycles %8.2f us  %8lu warp instructions  L1 has %5.1f %%  L2 %7lu  DRAM reads %6lu  %s\n", what,
         (unsigned long)n[WHARF_GPU_CYCLES], (double)n[WHARF_GPU_NS] / 1000.0, (unsigned long)n[WHARF_GPU_INSTRUCTIONS],
         n[WHARF_GPU_SECTORS] == 0 ? 0.0 : 100.0 * (double)n[WHARF_GPU_L1_SECTORS] / (double)n[WHARF_GPU_SECTORS],
         (unsigned long)n[WHARF_GPU_L2_ACCESSES], (unsigned long)n[WHARF_GPU_DRAM_READS], wrong ? "WRONG" : "correct");
}

static int differs(float a, float b) { return fabsf(a - b) > 1e-4f * (fabsf(b) + 1.0f); }

static int gemm(void) {
  enum { ni = 128, nj = 128, nk = 32 };
  const float alpha = 1.5f, beta = 0.5f;
  float *a = gpu_alloc(sizeof(float) * ni * nk), *b = gpu_alloc(sizeof(float) * nk * nj), *c = gpu_alloc(sizeof(float) * ni * nj);
  float *expected = gpu_alloc(sizeof(float) * ni * nj);
  fill(a, ni * nk);
  fill(b, nk * nj);
  fill(c, ni * nj);
  for (int i = 0; i < ni; ++i) {
    for (int j = 0; j < nj; ++j) {
      float sum = beta * c[i * nj + j];
      for (int k = 0; k < nk; ++k) sum += alpha * a[i * nk + k] * b[k * nj + j];
      expected[i * nj + j] = sum;
    }
  }
  wait_for("gemm", gpu_launch("gemm", gpu_array(a, ni * nk), gpu_array(b, nk * nj), gpu_array(c, ni * nj), gpu_integer(ni), gpu_integer(nj),
                              gpu_integer(nk), gpu_integer(nk), gpu_real(alpha), gpu_real(beta), gpu_integer(1)));
  struct totals totals = {{0}};
  add_counts(&totals);
  int wrong = 0;
  for (int i = 0; i < ni * nj; ++i) wrong |= differs(c[i], expected[i]);
  report("gemm", &totals, wrong);
  return wrong;
}

static int spmv(void) {
  enum { rows = 4096, of_row = 16 };
  int32_t *row_start = gpu_alloc(sizeof(int32_t) * (rows + 1)), *columns = gpu_alloc(sizeof(int32_t) * rows * 2 * of_row);
  float *values = gpu_alloc(sizeof(float) * rows * 2 * of_row), *x = gpu_alloc(sizeof(float) * rows), *out = gpu_alloc(sizeof(float) * rows);
  for (int i = 0; i < rows; ++i) row_start[i + 1] = row_start[i] + (int32_t)draw(2 * of_row);
  const int elements = row_start[rows];
  for (int i = 0; i < elements; ++i) columns[i] = (int32_t)draw(rows);
  fill(values, elements);
  fill(x, rows);
  wait_for("spmv", gpu_launch("spmv", gpu_array(row_start, rows + 1), gpu_array(columns, (uint64_t)elements),
                              gpu_array(values, (uint64_t)elements), gpu_array(x, rows), gpu_array(out, rows), gpu_integer(rows),
                              gpu_integer(0)));
  struct totals totals = {{0}};
  add_counts(&totals);
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    float sum = 0.0f;
    for (int i = row_start[row]; i < row_start[row + 1]; ++i) sum += values[i] * x[columns[i]];
    wrong |= differs(out[row], sum);
  }
  report("spmv", &totals, wrong);
  return wrong;
}

struct node {
  int32_t start, degree;
};

/* Computes levels on the host, with a queue. */
static void search(const struct node *nodes, const int32_t *edges, int n, int32_t *level) {
  int32_t *queue = gpu_alloc(sizeof(int32_t) * (size_t)n);
  int head = 0, tail = 1;
  for (int i = 0; i < n; ++i) level[i] = -1;
  level[0] = 0;
  while (head < tail) {
    const int32_t from = queue[head++];
    for (int32_t e = nodes[from].start; e < nodes[from].start + nodes[from].degree; ++e) {
      if (level[edges[e]] >= 0) continue;
      level[edges[e]] = level[from] + 1;
      queue[tail++] = edges[e];
    }
  }
  free(queue);
}

static int bfs(void) {
  enum { n = 4096, most = 8 };
  struct node *nodes = gpu_alloc(sizeof(struct node) * n);
  int32_t *edges = gpu_alloc(sizeof(int32_t) * n * most), *cost = gpu_alloc(sizeof(int32_t) * n), *level = gpu_alloc(sizeof(int32_t) * n);
  uint8_t *mask = gpu_alloc(n), *updated = gpu_alloc(n), *visited = gpu_alloc(n), *over = gpu_alloc(1);
  int32_t count = 0;
  for (int i = 0; i < n; ++i) {
    nodes[i].start = count;
    nodes[i].degree = (int32_t)draw(most);
    for (int e = 0; e < nodes[i].degree; ++e) edges[count++] = (int32_t)draw(n);
    cost[i] = -1;
  }
  search(nodes, edges, n, level);
  cost[0] = 0;
  mask[0] = visited[0] = 1;
  struct totals totals = {{0}};
  /* Like the host code of a CUDA program: two launches per level, until no new node is found. */
  do {
    *over = 0;
    wait_for("bfs", gpu_launch("bfs_visit", gpu_array(nodes, n), gpu_array(edges, (uint64_t)count), gpu_array(mask, n), gpu_array(updated, n),
                               gpu_array(visited, n), gpu_array(cost, n), gpu_integer(n)));
    add_counts(&totals);
    wait_for("bfs", gpu_launch("bfs_advance", gpu_array(mask, n), gpu_array(updated, n), gpu_array(visited, n), gpu_array(over, 1),
                               gpu_integer(n)));
    add_counts(&totals);
  } while (*over);
  const int wrong = memcmp(cost, level, sizeof(int32_t) * n) != 0;
  report("bfs", &totals, wrong);
  return wrong;
}

int main(void) {
  gpu_open();
  const int wrong = gemm() | spmv() | bfs();
  printf("%s after %.1f us of simulated time\n", wrong ? "WRONG RESULTS" : "all results correct", (double)now_ns() / 1000.0);
  return wrong;
}
