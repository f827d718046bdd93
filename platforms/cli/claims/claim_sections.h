#pragma once
// docs/results.md by source and claim, so that what is not measured anew can stay as it is.

#include <string>
#include <vector>

namespace wharf::cli {

enum class ClaimTable { headline, mechanism, not_computed };

/// A claim in the document.
struct ClaimLines {
  std::string id;  // as it stands there
  ClaimTable table = ClaimTable::not_computed;
  std::string row, how;  // with the ends of their lines; `how` is empty for what is not computed
};

/// Cells of a row of computed claims, and of one of those that are not.
inline constexpr std::size_t kSignCell = 5, kSizeCell = 6, kTierCell = 3;
inline constexpr const char *kAgrees = "agrees", *kDisagrees = "DISAGREES";

/// The cells of a row, without the spaces around them.
std::vector<std::string> cells_of(const std::string& row);

/// Of one source.
struct ClaimSection {
  std::string heading;  // with the line breaks around it
  std::string text;     // below the heading, as it was read
};

/// What stands between a section's heading and its claims, and the claims.
struct ClaimSectionBody {
  std::vector<std::string> measured_by;  // a line each, without the end of it
  std::vector<ClaimLines> claims;
};

std::vector<ClaimSection> sections_of(const std::string& report);
/// Its source, as it stands there.
std::string title_of(const ClaimSection& section);
/// The one of this source (not yet escaped), behind all others where it is new.
ClaimSection& section_of(std::vector<ClaimSection>& sections, const std::string& source);
/// Commits whose programs measured what a section says.
std::vector<std::string> programs_of(const std::string& text);
/// A warning where the sections are of more than one commit, or of a program with changes that are in none; else empty.
std::string programs_note(const std::vector<ClaimSection>& sections);
/// Whether its tables have the present form; an empty section has.
bool has_present_form(const ClaimSection& section);
ClaimSectionBody parse_section(const std::string& text);
/// The text of a section: parse_section() reads it back.
std::string section_text(const ClaimSectionBody& body);

/// Puts what was measured anew in the place of what was, or where its id belongs; `measured_by` says how. Lines that say so of claims all
/// of which are measured once more are dropped.
void replace_claims(ClaimSectionBody& body, const std::vector<ClaimLines>& anew, const std::string& measured_by);
/// "Measured anew by HOW: A, B (SUMMARY)."
std::string measured_anew(const std::string& how, const std::vector<ClaimLines>& claims, const std::string& summary);

}  // namespace wharf::cli
