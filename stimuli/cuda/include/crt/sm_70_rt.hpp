// clang includes this file by name; it needs nothing of it (CU-10.4).
