#pragma once
// Device code of several objects as one module (CU-6). An object of relocatable device code calls an undefined function, whose name ends
// with a hash of the file; a stub that is linked with the objects defines all of these functions, and registers the objects' PTX as a
// group.

#include <string>
#include <vector>

namespace wharf::cuda {

/// The PTX of relocatable device code with one name for each variable that is private to its file, and for each static member of a class.
/// clang 14 gives such a variable a suffix if the host accesses it, `x__static__5e87`, but keeps declaring and using `x` where device code
/// has met the variable before. A member, which is no file's own, loses the suffix.
std::string with_private_names(const std::string& ptx);

/// The hashes for which some object of a list calls the function and none defines it, in the order of the list. `symbols` is what `nm`
/// prints of the objects.
std::vector<std::string> unlinked_objects(const std::string& symbols);

/// The stub for these hashes, in C.
std::string group_stub(const std::vector<std::string>& hashes);

}  // namespace wharf::cuda
