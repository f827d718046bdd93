// The functions that clang and its CUDA headers call in device code (CU-12): the mathematics (__nv_*) and what the language needs, as one
// source. Compiled twice: by clang for nvptx64 to bitcode that programs link, and for the host, where tests measure the mathematics' accuracy.

#include "stimuli/cuda/device_math/bessel_functions.h"
#include "stimuli/cuda/device_math/double_exponential.h"
#include "stimuli/cuda/device_math/double_trigonometric.h"
#include "stimuli/cuda/device_math/error_functions.h"
#include "stimuli/cuda/device_math/float_exponential.h"
#include "stimuli/cuda/device_math/float_trigonometric.h"
#include "stimuli/cuda/device_math/gamma_functions.h"
#include "stimuli/cuda/device_math/inverse_error_functions.h"
#include "stimuli/cuda/device_math/language_support.h"
#include "stimuli/cuda/device_math/one_instruction.h"
#include "stimuli/cuda/device_math/packed_integers.h"
#include "stimuli/cuda/device_math/roots.h"
#include "stimuli/cuda/device_math/rounding.h"
