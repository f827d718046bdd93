#pragma once
// The two ways in which PolyBench's matrix-vector kernels walk a row-major matrix with one thread per output element
// (workloads sections 1.1 to 1.3). Along its row, the lanes are a row apart: 32 lines per load, which the same warp reuses in its next 31
// iterations. Down its column, the lanes are neighbours.

#include <functional>
#include <string>
#include <vector>

#include "stimuli/spmd/memory.h"
#include "stimuli/spmd/warp.h"
#include "stimuli/spmd/workload.h"

namespace wharf::spmd {

/// y[t] += sum over i < trips of A x[i], where t < threads is the row of A (row walk) or its column (column walk).
struct Walk {
  Array<float> a, x, y;
  int threads, trips, pitch;
  bool adds_to_y;  // y is read before the loop; otherwise it is set to 0
  bool promote;    // y is stored once, after the loop
};

void row_walk(Warp& w, const Walk& k);
void column_walk(Warp& w, const Walk& k);

/// The result of the walk on the host, from the values of y and x before it.
std::vector<float> expected_row_walk(const Walk& walk, const float* x, std::vector<float> y);
std::vector<float> expected_column_walk(const Walk& walk, const float* x, std::vector<float> y);

/// Sets A[i][j] = i*j/n in the elements that the two walks read.
void fill_walked(const Array<float>& a, int n, const Walk& rows, const Walk& columns);

/// The vector of value(i) for i < count.
std::vector<float> vector_of(int count, const std::function<float(int)>& value);

}  // namespace wharf::spmd
