// Replaces the RTL in a program that was built without Verilator.

#include "model/base/error.h"
#include "model/rtl/catalogue.h"
#include "model/rtl/waves.h"

namespace wharf::rtl {

bool is_built() { return false; }

void add_to_catalogues() { add_absent_members(); }

std::unique_ptr<Waves> open_waves(const std::string&) {
  throw InputError("--waves: this program was built without Verilator, so nothing in it is RTL; `./wharf setup rtl` builds it in");
}

}  // namespace wharf::rtl
