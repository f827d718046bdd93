#pragma once
// docs/results.md by source and claim, so that parts that are not measured again can stay.

#include <string>
#include <vector>

namespace wharf::cli {

enum class ClaimTable { headline, mechanism, not_computed };

/// A claim in the document.
struct ClaimLines {
  std::string id;  // as written in the document
  ClaimTable table = ClaimTable::not_computed;
  std::string row, how;  // with line ends; `how` is empty for a claim that is not computed
};

/// Cells of a row of computed claims, and of a row of claims not computed.
inline constexpr std::size_t kSignCell = 5, kSizeCell = 6, kTierCell = 3;
inline constexpr const char *kAgrees = "agrees", *kDisagrees = "DISAGREES", *kUndecided = "UNDECIDED";

/// The cells of a row, without surrounding spaces.
std::vector<std::string> cells_of(const std::string& row);

/// The section of one source.
struct ClaimSection {
  std::string heading;  // with the line breaks around it
  std::string text;     // below the heading, as read
};

/// The text between a section's heading and its claims, and the claims.
struct ClaimSectionBody {
  std::vector<std::string> measured_by;  // one line each, without its end
  std::vector<ClaimLines> claims;
};

std::vector<ClaimSection> sections_of(const std::string& report);
/// The source of a section, as written in the document.
std::string title_of(const ClaimSection& section);
/// The source by its own name, without the document's escapes.
std::string source_of(const ClaimSection& section);
/// The section of this source (unescaped), appended where it is new.
ClaimSection& section_of(std::vector<ClaimSection>& sections, const std::string& source);
/// The commits whose programs measured a section.
std::vector<std::string> programs_of(const std::string& text);
/// A warning where the sections come from more than one commit, or from a program with uncommitted changes; otherwise empty.
std::string programs_note(const std::vector<ClaimSection>& sections);
/// True where the section's tables have the present form, or the section is empty.
bool has_present_form(const ClaimSection& section);
ClaimSectionBody parse_section(const std::string& text);
/// The text of a section, which parse_section() reads back.
std::string section_text(const ClaimSectionBody& body);

/// Replaces claims that were measured again, or inserts them by id; `measured_by` says how. Drops the lines about claims all of which have
/// been measured again: the first line too, which is about all claims that no other line names.
void replace_claims(ClaimSectionBody& body, const std::vector<ClaimLines>& anew, const std::string& measured_by);
/// For example "Measured anew by HOW: A, B (SUMMARY)."
std::string measured_anew(const std::string& how, const std::vector<ClaimLines>& claims, const std::string& summary);

}  // namespace wharf::cli
