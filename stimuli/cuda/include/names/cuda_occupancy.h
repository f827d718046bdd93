#pragma once
// A name of the toolkit whose contents are in cuda_runtime.h (CU-10.8).
#include <cuda_runtime.h>
