#pragma once
// Marks the part of a program whose results count (CU-18).
#include <cuda_runtime.h>
