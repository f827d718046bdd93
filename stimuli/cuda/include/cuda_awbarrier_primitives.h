#pragma once
// A name of the toolkit whose contents are in cuda_pipeline_primitives.h.
#include <cuda_pipeline_primitives.h>
