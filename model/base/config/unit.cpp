#include "model/base/config/binder.h"

namespace wharf::config {

const char* name_of(Unit unit) {
  switch (unit) {
    case Unit::none:
      return "";
    case Unit::cycles:
      return "cycles";
    case Unit::mhz:
      return "MHz";
    case Unit::bytes:
      return "bytes";
    case Unit::kib:
      return "KiB";
    case Unit::count:
      return "count";
    case Unit::accesses:
      return "accesses";
    case Unit::flits:
      return "flits";
    case Unit::percent:
      return "%";
    case Unit::ratio:
      return "ratio";
    case Unit::nanoseconds:
      return "ns";
    case Unit::warps:
      return "warps";
    case Unit::ctas:
      return "CTAs";
    case Unit::threads:
      return "threads";
    case Unit::registers:
      return "registers";
    case Unit::picojoules:
      return "pJ";
    case Unit::nanojoules:
      return "nJ";
    case Unit::milliwatts:
      return "mW";
    case Unit::watts:
      return "W";
    case Unit::millimetres:
      return "mm";
  }
  return "";
}

}  // namespace wharf::config
