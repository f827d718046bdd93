// A shared library that calls what the program does not have, as one does that was built for another Wharf.

extern "C" int gone_since_the_last_version();

extern "C" int answer() { return gone_since_the_last_version(); }
