// The parts of launch files: numbers of PTX types, and expressions over arrays.
#include <catch2/catch.hpp>
#include <cstring>

#include "model/base/error.h"
#include "stimuli/ptx/launch_file/element.h"
#include "stimuli/ptx/launch_file/expression.h"

using namespace wharf;
using namespace wharf::ptx;
using Catch::Matchers::Contains;

namespace {

const std::vector<float> kA = {1, 2, 4, 8};
const std::vector<std::int32_t> kB = {10, -20, 30};

std::vector<ArrayView> arrays() {
  return {{"a", Type::f32, kA.size(), reinterpret_cast<const std::byte*>(kA.data())},
          {"b2", Type::s32, kB.size(), reinterpret_cast<const std::byte*>(kB.data())}};
}

double value(const std::string& text, std::uint64_t i = 0) {
  Expression::Mistake mistake;
  const Expression expression = Expression::parse(text, arrays(), mistake);
  INFO(text << ": " << mistake.what);
  REQUIRE(mistake.what.empty());
  std::uint64_t steps = 0;
  return expression.value(i, arrays(), steps);
}

/// "offset: message".
std::string expression_mistake(const std::string& text) {
  Expression::Mistake mistake;
  Expression::parse(text, arrays(), mistake);
  return mistake.what.empty() ? std::string() : std::to_string(mistake.offset) + ": " + mistake.what;
}

template <class Value>
Value number(const std::string& text, Type type) {
  std::vector<std::byte> bytes;
  INFO(text);
  REQUIRE(parse_element(text, type, bytes).empty());
  REQUIRE(bytes.size() == sizeof(Value));
  Value value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::string complaint(const std::string& text, Type type) {
  std::vector<std::byte> bytes;
  return parse_element(text, type, bytes);
}

}  // namespace

TEST_CASE("CU-64: expressions have the usual precedence, elements of arrays, conditions, sums and functions") {
  CHECK(value("1 + 2 * 3 - 4 / 2") == 5);
  CHECK(value("-(1 + 2) * -3") == 9);
  CHECK(value("8 - 4 - 2") == 2);
  CHECK(value("7 % 4") == 3);
  CHECK(value("2.5e-1") == 0.25);
  CHECK(value("i", 3) == 3);
  CHECK(value("a", 2) == 4);
  CHECK(value("a[i + 1] - b2[1]", 0) == 22);
  CHECK(value("a[a[0]]") == 2);
  CHECK(value("1 < 2") == 1);
  CHECK(value("2 <= 1") == 0);
  CHECK(value("i == 3", 3) == 1);
  CHECK(value("i != 3", 3) == 0);
  CHECK(value("if(i < 4, a[i], 7)", 4) == 7);  // a[4] is out of bounds, and not evaluated
  CHECK(value("sum(k, 0, 4, a[k])") == 15);
  CHECK(value("sum(k, 0, 2, sum(j, 0, 3, b2[j] * k))") == 20);
  CHECK(value("sum(k, 3, 3, 1)") == 0);
  CHECK(value("max(abs(-3), min(1, 2)) + sqrt(16) + floor(2.9) + pow(2, 3)") == 17);
}

TEST_CASE("CU-64: a mistake in an expression is named with its place and what to write") {
  CHECK(expression_mistake("2 *") == "3: the end is not expected here; write a number, i, an array, a function or '('");
  CHECK(expression_mistake("(a[i] + 1") == "9: the end is not expected here; write ')'");
  CHECK(expression_mistake("a[1") == "3: the end is not expected here; write ']'");
  CHECK(expression_mistake("a b2") == "2: 'b' is not expected here; write an operator or end the expression");
  CHECK(expression_mistake("1 + c") == "4: 'c' is not an array that has a value here; there are i, a, b2");
  CHECK_THAT(expression_mistake("cube(3)"), Contains("0: 'cube' is not a function; there are if, sum, abs"));
  CHECK(expression_mistake("min(1)") == "5: ')' is not expected here; write ','");
  CHECK_THAT(expression_mistake("sum(3, 0, 1, 2)"), Contains("write sum(K, FROM, TO, X) with a name for K"));
  CHECK_THAT(expression_mistake(""), Contains("0: the end is not expected here"));
  CHECK_THAT(expression_mistake(std::string(5000, '(')), Contains("is nested too deeply"));
  CHECK_THAT(expression_mistake(std::string(5000, '-')), Contains("is nested too deeply"));
}

TEST_CASE("CU-64: an index outside of an array ends the evaluation, as does an endless sum") {
  CHECK_THROWS_WITH(value("a[4]"), Contains("a[4] is outside of the 4 elements of a; use if() at the borders"));
  CHECK_THROWS_AS(value("a[-1]"), InputError);
  CHECK_THROWS_AS(value("a[0.5]"), InputError);
  CHECK_THROWS_AS(value("a[0 / 0]"), InputError);
  CHECK(value("sum(k, -1 / 0, 0, 1)") == 0);  // cannot count upwards
  Expression::Mistake mistake;
  const Expression endless = Expression::parse("sum(k, 0, 1e15, 1)", {}, mistake);
  std::uint64_t steps = Expression::kMostSteps - 1000;
  CHECK_THROWS_WITH(endless.value(0, {}, steps), Contains("takes more than 2000000000 steps"));
}

TEST_CASE("CU-64: arguments are numbers of the parameter's type, or say their own of the same size") {
  CHECK(number<std::uint32_t>("4294967295", Type::u32) == 4294967295u);
  CHECK(number<std::int32_t>("-2147483648", Type::s32) == -2147483647 - 1);
  CHECK(number<std::uint64_t>("18446744073709551615", Type::u64) == ~std::uint64_t{0});
  CHECK(number<std::int8_t>("-128", Type::s8) == -128);
  CHECK(number<std::int32_t>("-1", Type::b32) == -1);
  CHECK(number<std::int32_t>("-1s32", Type::u32) == -1);
  CHECK(number<float>("3", Type::f32) == 3.0f);
  CHECK(number<float>("2.5f32", Type::f32) == 2.5f);
  CHECK(number<float>("2.5f32", Type::b32) == 2.5f);
  CHECK(number<double>("-1e300", Type::f64) == -1e300);
  CHECK(number<std::uint16_t>("1", Type::f16) == 0x3c00);
  CHECK(complaint("4294967296", Type::u32) == "is '4294967296', which is not a number of the type u32; write such as 3");
  for (const char* text : {"-1", "2.5", "x", "", "0x10", "3 ", "1u32u32", "-"})
    CHECK_THAT(complaint(text, Type::u32), Contains("which is not a number of the type u32"));
  CHECK_THAT(complaint("128", Type::s8), Contains("not a number of the type s8; write such as -3"));
  for (const char* text : {"nan", "inf", "1e400", "f32", "."})
    CHECK_THAT(complaint(text, Type::f32), Contains("not a number of the type f32; write such as 2.5"));
  CHECK(complaint("3u64", Type::u32) == "is '3u64'; the parameter has the type u32, so write a number of it");
  CHECK(complaint("2.5f32", Type::u32) == "is '2.5f32'; the parameter has the type u32, so write a number of it");
}

TEST_CASE("CU-64: elements are stored rounded once, and integers only where they fit") {
  std::byte bytes[8];
  for (const auto& [type, most] : {std::pair{Type::u8, 255.0}, std::pair{Type::s16, 32767.0}, std::pair{Type::u32, 4294967295.0}}) {
    CHECK(store_element(type, most, bytes));
    CHECK(load_element(type, bytes) == most);
    CHECK_FALSE(store_element(type, most + 1, bytes));
    CHECK_FALSE(store_element(type, 0.5, bytes));
  }
  CHECK_FALSE(store_element(Type::u64, -1.0, bytes));
  CHECK_FALSE(store_element(Type::u64, 18446744073709551616.0, bytes));
  CHECK(store_element(Type::s64, -9223372036854775808.0, bytes));
  CHECK(load_element(Type::s64, bytes) == -9223372036854775808.0);
  CHECK(store_element(Type::f32, 0.1, bytes));
  CHECK(load_element(Type::f32, bytes) == 0.1f);
  CHECK(store_element(Type::f16, 0.1, bytes));
  CHECK(load_element(Type::f16, bytes) == 0.0999755859375);
  CHECK(element_type("f64") == Type::f64);
  CHECK(element_type("f33") == Type::none);
  CHECK(element_type("pred") == Type::none);
}
