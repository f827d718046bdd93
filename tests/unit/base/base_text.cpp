#include <catch2/catch.hpp>

#include "model/base/text.h"

using namespace wharf;

TEST_CASE("edit distance counts insertions, deletions, replacements and swaps of neighbours") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "abc") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("mshr", "mshrs") == 1);
  CHECK(edit_distance("ways", "way") == 1);
  CHECK(edit_distance("ways", "days") == 1);
  CHECK(edit_distance("wasy", "ways") == 1);
  CHECK(edit_distance("kitten", "sitting") == 1 + 1 + 1);
}

TEST_CASE("the nearest name is the one with the fewest edits and the first of equals") {
  CHECK(nearest("mshr", {"ways", "mshrs", "mshr_targets"}) == std::string("mshrs"));
  CHECK(nearest("bat", {"cat", "hat"}) == std::string("cat"));
  CHECK(nearest("Store-Hit", {"store_hit"}) == std::string("store_hit"));
}

TEST_CASE("a name that is far from all or too long has no nearest") {
  CHECK_FALSE(nearest("zzz", {"ways", "mshrs"}));
  CHECK_FALSE(nearest("", {"a"}));
  CHECK_FALSE(nearest("ways", {}));
  CHECK_FALSE(nearest(std::string(81, 'a'), {std::string(81, 'a')}));
  CHECK(nearest(std::string(80, 'a'), {std::string(80, 'a')}));
  CHECK(nearest("abcdef", {"abcdxy"}));
  CHECK_FALSE(nearest("abcdef", {"abcxyz"}));
}

TEST_CASE("advice is a clause of its own or nothing") {
  CHECK(did_you_mean("mshr", {"mshrs"}) == "; did you mean 'mshrs'?");
  CHECK(did_you_mean("zzzz", {"mshrs"}).empty());
}

TEST_CASE("quoting escapes what cannot be printed and cuts between characters") {
  CHECK(quote("plain") == "'plain'");
  CHECK(quote("a\nb\x7F") == "'a\\x0ab\\x7f'");
  CHECK(quote("\xC3\xA9") == "'\xC3\xA9'");
  CHECK(quote("\xC3") == "'\\xc3'");
  CHECK(quote(std::string(60, 'x')) == "'" + std::string(60, 'x') + "'");
  CHECK(quote(std::string(61, 'x')) == "'" + std::string(60, 'x') + "...'");
  CHECK(quote(std::string(59, 'x') + "\xC3\xA9") == "'" + std::string(59, 'x') + "...'");
}

TEST_CASE("joining cuts long lists with a count of the rest") {
  CHECK(join({}).empty());
  CHECK(join({"a", "b"}) == "a, b");
  CHECK(join({"a", "b", "c"}, 2) == "a, b and 1 more");
}

TEST_CASE("the first byte that is not text is found") {
  CHECK(first_unprintable("tab\tline\r\n \xEF\xBB\xBF \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80") == std::string_view::npos);
  CHECK(first_unprintable(std::string_view("a\0b", 3)) == 1);
  CHECK(first_unprintable("ab\x1B") == 2);
  CHECK(first_unprintable("a\xFF") == 1);
  CHECK(first_unprintable("a\x80") == 1);             // a continuation without a lead
  CHECK(first_unprintable("\xE2\x82") == 0);          // cut short
  CHECK(first_unprintable("\xC0\xAF") == 0);          // overlong
  CHECK(first_unprintable("\xE0\x80\xAF") == 0);      // overlong
  CHECK(first_unprintable("\xED\xA0\x80") == 0);      // a surrogate
  CHECK(first_unprintable("\xF4\x90\x80\x80") == 0);  // beyond U+10FFFF
}
