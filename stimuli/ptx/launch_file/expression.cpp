#include "stimuli/ptx/launch_file/expression.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>

#include "model/base/error.h"
#include "model/base/text.h"
#include "stimuli/ptx/launch_file/element.h"

namespace wharf::ptx {

struct Expression::Node {
  enum class Kind : std::uint8_t { number, variable, element, negate, binary, choose, sum, function };
  Kind kind = Kind::number;
  double number = 0;
  std::size_t index = 0;       // of a variable (0: i, others by depth of sums), an array or a function
  std::string_view operation;  // of binary
  std::vector<Node> children;
};

namespace {

using Node = Expression::Node;
using Kind = Node::Kind;

struct NamedFunction {
  std::string_view name;
  std::size_t arguments;
  double (*compute)(double, double);
};
constexpr std::array kFunctions = {NamedFunction{"abs", 1, [](double x, double) { return std::fabs(x); }},
                                   NamedFunction{"sqrt", 1, [](double x, double) { return std::sqrt(x); }},
                                   NamedFunction{"exp", 1, [](double x, double) { return std::exp(x); }},
                                   NamedFunction{"log", 1, [](double x, double) { return std::log(x); }},
                                   NamedFunction{"sin", 1, [](double x, double) { return std::sin(x); }},
                                   NamedFunction{"cos", 1, [](double x, double) { return std::cos(x); }},
                                   NamedFunction{"floor", 1, [](double x, double) { return std::floor(x); }},
                                   NamedFunction{"min", 2, [](double x, double y) { return std::fmin(x, y); }},
                                   NamedFunction{"max", 2, [](double x, double y) { return std::fmax(x, y); }},
                                   NamedFunction{"pow", 2, [](double x, double y) { return std::pow(x, y); }}};

double binary(std::string_view operation, double x, double y) {
  switch (operation[0]) {
    case '+':
      return x + y;
    case '-':
      return x - y;
    case '*':
      return x * y;
    case '/':
      return x / y;
    case '%':
      return std::fmod(x, y);
    case '<':
      return (operation.size() > 1 ? x <= y : x < y) ? 1.0 : 0.0;
    case '>':
      return (operation.size() > 1 ? x >= y : x > y) ? 1.0 : 0.0;
    case '=':
      return x == y ? 1.0 : 0.0;
    default:
      return x != y ? 1.0 : 0.0;
  }
}

class Parser {
 public:
  Parser(const std::string& text, const std::vector<ArrayView>& arrays, Expression::Mistake& mistake, std::set<std::size_t>& named)
      : text_(text), arrays_(arrays), mistake_(mistake), named_(named) {}

  Node whole() {
    Node node = comparison();
    blanks();
    if (good() && at_ < text_.size()) fail("is not expected here; write an operator or end the expression");
    return node;
  }

 private:
  static constexpr unsigned kDeepest = 100;
  // Longer operators come first.
  static constexpr std::array<std::array<std::string_view, 6>, 3> kLevels = {
      {{"<=", ">=", "==", "!=", "<", ">"}, {"+", "-", "", "", "", ""}, {"*", "/", "%", "", "", ""}}};

  bool good() const { return mistake_.what.empty(); }
  void fail(const std::string& what) {
    if (!good()) return;
    mistake_.offset = at_;
    mistake_.what = (at_ < text_.size() ? quote(std::string(1, text_[at_])) : "the end") + ' ' + what;
  }
  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view what) {
    blanks();
    if (text_.compare(at_, what.size(), what) != 0) return false;
    at_ += what.size();
    return true;
  }
  void expect(std::string_view what) {
    if (good() && !take(what)) fail(fmt::format("is not expected here; write {}", quote(what)));
  }
  Node comparison() { return level(0); }

  Node level(std::size_t depth) {
    if (depth == kLevels.size()) return unary();
    Node left = level(depth + 1);
    for (bool more = good(); more;) {
      more = false;
      for (const std::string_view operation : kLevels[depth]) {
        if (operation.empty() || !take(operation)) continue;
        Node right = level(depth + 1);
        left = {Kind::binary, 0, 0, operation, {std::move(left), std::move(right)}};
        more = good();
        break;
      }
    }
    return left;
  }

  Node unary() {
    if (++depth_ > kDeepest) fail("is nested too deeply; write a shorter expression");
    Node node;
    if (good()) node = take("-") ? Node{Kind::negate, 0, 0, {}, {unary()}} : primary();
    --depth_;
    return node;
  }

  Node primary() {
    blanks();
    if (take("(")) {
      Node node = comparison();
      expect(")");
      return node;
    }
    const std::string_view rest = std::string_view(text_).substr(at_);
    Node number;
    if (const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number.number);
        !rest.empty() && (std::isdigit(static_cast<unsigned char>(rest[0])) != 0 || rest[0] == '.') && error == std::errc()) {
      at_ += static_cast<std::size_t>(end - rest.data());
      return number;
    }
    const std::size_t begin = at_;
    const std::string name = word();
    if (!name.empty()) return named(name, begin);
    fail("is not expected here; write a number, i, an array, a function or '('");
    return {};
  }

  std::string word() {
    const std::size_t begin = at_;
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    while (at_ < text_.size() && (is_letter(text_[at_]) || (at_ > begin && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0)))
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Node named(const std::string& name, std::size_t begin) {
    if (take("(")) return call(name, begin);
    if (const auto loop = std::find(loops_.rbegin(), loops_.rend(), name); loop != loops_.rend())
      return {Kind::variable, 0, static_cast<std::size_t>(loops_.rend() - loop) - 1, {}, {}};
    const auto array = std::find_if(arrays_.begin(), arrays_.end(), [&](const ArrayView& one) { return one.name == name; });
    if (array == arrays_.end()) {
      std::vector<std::string> known = loops_;
      for (const ArrayView& one : arrays_) known.push_back(one.name);
      at_ = begin;
      if (good()) mistake_ = {begin, fmt::format("{} is not an array that has a value here; there are {}", quote(name), join(known))};
      return {};
    }
    const auto place = static_cast<std::size_t>(array - arrays_.begin());
    named_.insert(place);
    if (!take("[")) return {Kind::element, 0, place, {}, {Node{Kind::variable, 0, 0, {}, {}}}};
    Node index = comparison();
    expect("]");
    return {Kind::element, 0, place, {}, {std::move(index)}};
  }

  Node call(const std::string& name, std::size_t begin) {
    if (name == "if") return {Kind::choose, 0, 0, {}, arguments(3)};
    if (name == "sum") return sum();
    for (std::size_t i = 0; i < kFunctions.size(); ++i)
      if (kFunctions[i].name == name) return {Kind::function, 0, i, {}, arguments(kFunctions[i].arguments)};
    std::vector<std::string> known = {"if", "sum"};
    for (const NamedFunction& function : kFunctions) known.emplace_back(function.name);
    if (good()) mistake_ = {begin, fmt::format("{} is not a function; there are {}", quote(name), join(known))};
    return {};
  }

  std::vector<Node> arguments(std::size_t count) {
    std::vector<Node> list;
    for (std::size_t i = 0; i < count && good(); ++i) {
      if (i > 0) expect(",");
      if (good()) list.push_back(comparison());
    }
    expect(")");
    return list;
  }

  Node sum() {
    blanks();
    const std::string variable = word();
    if (variable.empty()) fail("is not expected here; write sum(K, FROM, TO, X) with a name for K");
    expect(",");
    Node node{Kind::sum, 0, loops_.size(), {}, {}};
    if (good()) node.children.push_back(comparison());
    expect(",");
    if (good()) node.children.push_back(comparison());
    expect(",");
    loops_.push_back(variable);
    if (good()) node.children.push_back(comparison());
    loops_.pop_back();
    expect(")");
    return node;
  }

  const std::string& text_;
  const std::vector<ArrayView>& arrays_;
  Expression::Mistake& mistake_;
  std::set<std::size_t>& named_;
  std::vector<std::string> loops_ = {"i"};
  std::size_t at_ = 0;
  unsigned depth_ = 0;
};

class Evaluation {
 public:
  Evaluation(std::uint64_t i, const std::vector<ArrayView>& arrays, std::uint64_t& steps)
      : arrays_(arrays), steps_(steps), variables_{static_cast<double>(i)} {}

  double of(const Node& node) {
    if (++steps_ > Expression::kMostSteps)
      throw InputError(fmt::format("the expression takes more than {} steps for all elements; make sums or arrays smaller, or use a file",
                                   Expression::kMostSteps));
    switch (node.kind) {
      case Kind::number:
        return node.number;
      case Kind::variable:
        return variables_[node.index];
      case Kind::element:
        return element(arrays_[node.index], of(node.children[0]));
      case Kind::negate:
        return -of(node.children[0]);
      case Kind::binary: {
        const double left = of(node.children[0]);
        return binary(node.operation, left, of(node.children[1]));
      }
      case Kind::choose:
        return of(node.children[of(node.children[0]) != 0.0 ? 1 : 2]);
      case Kind::sum:
        return sum(node);
      case Kind::function: {
        const double first = of(node.children[0]);
        return kFunctions[node.index].compute(first, node.children.size() > 1 ? of(node.children[1]) : 0.0);
      }
    }
    return 0;
  }

 private:
  double sum(const Node& node) {
    const double from = of(node.children[0]), to = of(node.children[1]);
    double total = 0;
    variables_.resize(std::max(variables_.size(), node.index + 1));
    for (double k = from; k < to && k + 1 != k; ++k) {
      variables_[node.index] = k;
      total += of(node.children[2]);
    }
    return total;
  }

  static double element(const ArrayView& array, double index) {
    if (!(index >= 0 && index < static_cast<double>(array.count) && index == std::floor(index)))
      throw InputError(fmt::format("{}[{}] is outside of the {} elements of {}; use if() at the borders, and floor() for a quotient",
                                   array.name, index, array.count, array.name));
    return load_element(array.type, array.bytes + static_cast<std::uint64_t>(index) * bytes_of(array.type));
  }

  const std::vector<ArrayView>& arrays_;
  std::uint64_t& steps_;
  std::vector<double> variables_;  // i, then those of the open sums
};

}  // namespace

Expression Expression::parse(const std::string& text, const std::vector<ArrayView>& arrays, Mistake& mistake) {
  mistake = {};
  Expression expression;
  expression.root_ = std::make_shared<const Node>(Parser(text, arrays, mistake, expression.named_).whole());
  return expression;
}

double Expression::value(std::uint64_t i, const std::vector<ArrayView>& arrays, std::uint64_t& steps) const {
  return Evaluation(i, arrays, steps).of(*root_);
}

}  // namespace wharf::ptx
