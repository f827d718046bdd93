#pragma once
// A name of the toolkit whose contents are in cooperative_groups.h.
#include <cooperative_groups.h>
