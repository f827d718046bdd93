#pragma once
// A name of older toolkits (CU-10.8).
#include <nvtx3/nvToolsExt.h>
