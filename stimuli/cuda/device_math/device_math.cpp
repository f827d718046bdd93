// The device mathematics that clang's CUDA headers call (__nv_*), as one source (CU-12). Compiled twice: by clang for nvptx64 to bitcode
// that programs link, and for the host, where tests measure its accuracy.

#include "stimuli/cuda/device_math/bessel_functions.h"
#include "stimuli/cuda/device_math/double_exponential.h"
#include "stimuli/cuda/device_math/double_trigonometric.h"
#include "stimuli/cuda/device_math/error_functions.h"
#include "stimuli/cuda/device_math/float_exponential.h"
#include "stimuli/cuda/device_math/float_trigonometric.h"
#include "stimuli/cuda/device_math/gamma_functions.h"
#include "stimuli/cuda/device_math/inverse_error_functions.h"
#include "stimuli/cuda/device_math/one_instruction.h"
#include "stimuli/cuda/device_math/packed_integers.h"
#include "stimuli/cuda/device_math/roots.h"
#include "stimuli/cuda/device_math/rounding.h"
