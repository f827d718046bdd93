#include "stimuli/cuda/compiler/source_repairs.h"

#include <algorithm>
#include <cctype>

namespace wharf::cuda {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A walk through the source that knows comments, strings and words.
class Repairer {
 public:
  explicit Repairer(std::string_view source) : source_(source) {}

  RepairedSource repair() {
    while (at_ < source_.size()) {
      if (copy_comment() || copy_string() || repair_opening() || repair_closing()) continue;
      if (repair_word()) continue;
      const char c = source_[at_];
      keep(1);
      if (!cluster_.empty()) seek_body(c);
    }
    return std::move(result_);
  }

 private:
  bool starts(std::string_view text) const { return source_.substr(at_, text.size()) == text; }

  void keep(std::size_t size) {
    for (const char c : source_.substr(at_, size)) line_ += c == '\n';
    result_.text += source_.substr(at_, size);
    at_ += size;
  }
  void replace(std::size_t size, std::string_view text, std::string what) {
    result_.repairs.push_back({line_, std::move(what)});
    result_.text += text;
    at_ += size;
  }

  bool copy_comment() {
    std::size_t end = 0;
    if (starts("//"))
      end = source_.find('\n', at_);
    else if (starts("/*"))
      end = source_.find("*/", at_ + 2);
    else
      return false;
    keep(end == std::string_view::npos ? source_.size() - at_ : end - at_ + (starts("/*") ? 2 : 0));
    return true;
  }

  /// The length of the string or character literal that begins here.
  std::size_t literal_size() const {
    const char quote = source_[at_];
    std::size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != quote && source_[end] != '\n') end += source_[end] == '\\' ? 2 : 1;
    return std::min(end + 1, source_.size()) - at_;
  }

  bool copy_string() {
    if (source_[at_] == 'R' && source_.substr(at_, 2) == "R\"" && (at_ == 0 || !is_word(source_[at_ - 1]))) {
      const std::size_t open = source_.find('(', at_);
      if (open == std::string_view::npos) return false;
      const std::string close = ")" + std::string(source_.substr(at_ + 2, open - at_ - 2)) + "\"";
      const std::size_t end = source_.find(close, open);
      keep(end == std::string_view::npos ? source_.size() - at_ : end + close.size() - at_);
      return true;
    }
    if (source_[at_] != '"' && (source_[at_] != '\'' || (at_ > 0 && is_word(source_[at_ - 1])))) return false;
    const std::size_t size = literal_size();
    if (in_asm_template_ && source_[at_] == '"')
      keep_asm_text(size);
    else
      keep(size);
    return true;
  }

  /// `<<` and `<`, or `<` and `<<`, with blanks between: C++ has it in `operator<< <T>` alone.
  bool repair_opening() {
    const std::size_t size = after_operator() ? 0 : separated('<');
    if (size != 0) {
      replace(size, "<<<", "`<< <` written as `<<<`");
      ++open_launches_;
      return true;
    }
    if (!starts("<<<")) return false;
    keep(3);
    return true;
  }
  bool after_operator() const {
    constexpr std::string_view kOperator = "operator";
    std::size_t end = at_;
    while (end > 0 && is_blank(source_[end - 1])) --end;
    return end >= kOperator.size() && source_.substr(end - kOperator.size(), kOperator.size()) == kOperator;
  }
  /// The closing brackets of a launch whose opening ones were repaired.
  bool repair_closing() {
    if (open_launches_ == 0 || source_[at_] != '>') return false;
    const std::size_t size = separated('>');
    if (size != 0) {
      replace(size, ">>>", "`>> >` written as `>>>`");
    } else if (starts(">>>")) {
      keep(3);
    } else {
      return false;
    }
    --open_launches_;
    return true;
  }
  /// The size of three brackets with blanks somewhere between them; 0 for anything else.
  std::size_t separated(char bracket) const {
    std::size_t end = at_, brackets = 0;
    bool blank = false;
    while (end < source_.size() && brackets < 3) {
      if (source_[end] == bracket)
        ++brackets;
      else if (is_blank(source_[end]) && brackets > 0)
        blank = true;
      else
        break;
      ++end;
    }
    return brackets == 3 && blank ? end - at_ : 0;
  }

  bool repair_word() {
    if (!is_word(source_[at_])) return false;
    std::size_t end = at_;
    while (end < source_.size() && is_word(source_[end])) ++end;
    const std::string_view word = source_.substr(at_, end - at_);
    if (word == "__cluster_dims__" && take_cluster(end)) return true;
    keep(word.size());
    if (word == "__shared__") repair_alignment();
    if (word == "asm" || word == "__asm__" || word == "__asm") enter_asm();
    return true;
  }

  /// Takes `__cluster_dims__(x, y, z)` away, whose `(` follows at `open`: clang 14 knows no such attribute.
  bool take_cluster(std::size_t open) {
    const std::size_t line = source_.rfind('\n', at_) + 1;
    if (source_[source_.find_first_not_of(" \t", line)] == '#') return false;  // a macro's definition
    while (open < source_.size() && is_blank(source_[open])) ++open;
    if (open == source_.size() || source_[open] != '(') return false;
    std::vector<std::string> sizes(1);
    unsigned depth = 1;
    std::size_t at = open + 1;
    for (; at < source_.size() && depth != 0; ++at) {
      const char c = source_[at];
      depth += c == '(' ? 1u : c == ')' ? -1u : 0u;
      if (c == ',' && depth == 1)
        sizes.emplace_back();
      else if (depth != 0 && c != '\n')
        sizes.back() += c;
    }
    if (depth != 0 || sizes.size() > 3) return false;
    sizes.resize(3, "1");
    cluster_ = std::move(sizes);
    const std::string_view whole = source_.substr(at_, at - at_);
    const auto lines = std::count(whole.begin(), whole.end(), '\n');
    replace(whole.size(), std::string(static_cast<std::size_t>(lines), '\n'), "`__cluster_dims__` moved into the kernel");
    line_ += static_cast<unsigned>(lines);
    return true;
  }
  /// Says the cluster's size where the body of its kernel begins, as a pragma of PTX.
  void seek_body(char c) {
    if (c == '(') ++parentheses_;
    if (c == ')') --parentheses_;
    if (parentheses_ != 0 || (c != '{' && c != ';')) return;
    if (c == '{')
      result_.text += " asm volatile(\".pragma \\\"wharf cluster %0 %1 %2\\\";\" : : \"n\"(" + cluster_[0] + "), \"n\"(" + cluster_[1] +
                      "), \"n\"(" + cluster_[2] + "));";
    cluster_.clear();
  }

  /// `__shared__ alignas(16)`: clang takes no attribute of C++ between words of a declaration.
  void repair_alignment() {
    while (at_ < source_.size() && is_blank(source_[at_])) keep(1);
    constexpr std::string_view kAlignas = "alignas";
    const std::size_t end = at_ + kAlignas.size();
    if (starts(kAlignas) && (end == source_.size() || !is_word(source_[end])))
      replace(kAlignas.size(), "__align__", "`alignas` behind `__shared__` written as `__align__`");
  }

  /// Copies an asm statement up to the end of its template, repairing it where operands follow.
  void enter_asm() {
    for (;;) {
      while (at_ < source_.size() && std::isspace(static_cast<unsigned char>(source_[at_])) != 0) keep(1);
      if (starts("volatile"))
        keep(8);
      else if (starts("__volatile__"))
        keep(12);
      else
        break;
    }
    if (at_ == source_.size() || source_[at_] != '(') return;
    keep(1);
    in_asm_template_ = has_operands();
    while (at_ < source_.size() && source_[at_] != ':' && source_[at_] != ')')
      if (!copy_comment() && !copy_string()) keep(1);
    in_asm_template_ = false;
  }
  /// True where a colon follows the string literals that begin here.
  bool has_operands() const {
    Repairer ahead(source_);
    ahead.at_ = at_;
    while (ahead.at_ < source_.size() && source_[ahead.at_] != ':' && source_[ahead.at_] != ')')
      if (!ahead.copy_comment() && !ahead.copy_string()) ahead.keep(1);
    return ahead.at_ < source_.size() && source_[ahead.at_] == ':';
  }

  void keep_asm_text(std::size_t size) {
    constexpr std::string_view kRegisters[] = {"laneid", "warpid", "nwarpid", "lanemask_",         "smid",
                                               "nsmid",  "gridid", "clock",   "globaltimer",       "tid.",
                                               "ntid.",  "ctaid.", "nctaid.", "dynamic_smem_size", "total_smem_size"};
    const std::size_t end = at_ + size;
    while (at_ < end) {
      if (starts("%%")) {
        keep(2);
        continue;
      }
      bool repaired = false;
      for (const std::string_view name : kRegisters) {
        if (source_[at_] != '%' || source_.substr(at_ + 1, name.size()) != name) continue;
        replace(1, "%%", "`%" + std::string(name) + "` in asm with operands written with `%%`");
        repaired = true;
        break;
      }
      if (!repaired) keep(1);
    }
  }

  std::string_view source_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
  unsigned open_launches_ = 0;
  bool in_asm_template_ = false;
  std::vector<std::string> cluster_;  // the sizes of __cluster_dims__, until its kernel's body begins
  int parentheses_ = 0;               // open ones since then
  RepairedSource result_;
};

}  // namespace

RepairedSource repair_source(std::string_view source) { return Repairer(source).repair(); }

}  // namespace wharf::cuda
