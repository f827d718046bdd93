#!/usr/bin/env bash
# The documents as a site with search, and the public headers with what Doxygen makes of them below api:
# docs/site.sh [TREE [OUT]], by default this tree and build/docs-site. The program writes the pages of keys, claims and workloads;
# WHARF_PROGRAM names it, by default the tree's build/release/wharf.
# A link to a page that is not there fails, and so does a page that docs/site.yml does not list.
set -euo pipefail
tree=$(cd -- "${1:-$(dirname -- "${BASH_SOURCE[0]}")/..}" && pwd)
out=${2:-$tree/build/docs-site}
mkdir -p "$out"
out=$(cd -- "$out" && pwd)

# mkdocs takes one folder of pages. They stand there as they do in the tree, so their links hold.
pages=$out.pages
rm -rf -- "$pages"
mkdir -p "$pages"
cd "$tree"
cp README.md LICENSE "$pages"
cp --parents tests/README.md "$pages"
find docs model policies stimuli platforms -name '*.md' -exec cp --parents {} "$pages" \;
program=${WHARF_PROGRAM:-$tree/build/release/wharf}
"$program" describe --markdown >"$pages/docs/parameters.md"
"$program" reproduce --recorded >"$pages/docs/claims.md"
"$program" reproduce --recorded --characteristics >"$pages/docs/workloads.md"
# What GitHub takes for a list inside a list, mkdocs takes for one where it is indented by four.
find "$pages" -name '*.md' -exec sed -i 's/^  - /    - /' {} +

# One line for each header that `cmake --install` brings, with the first paragraph of what it says of itself.
headers() {
  printf '# Public headers\n\nWhat `cmake --install` puts below include/wharf, with what each says of itself. '
  printf '[Plugins](docs/howto-plugins.md) and [TLM-2.0 modules](docs/tlm.md) include them. '
  printf '**[Classes, functions and files with their comments](api/index.html)** has a search of its own.\n'
  find model policies stimuli platforms -name '*.h' | sort | xargs awk '
    FNR == 1 { folder = FILENAME; sub("/[^/]*$", "", folder); if (folder != last) printf "\n## %s\n\n", folder; last = folder; head = "" }
    FNR > 1 && !done[FILENAME] {
      if (/^\/\/ [^ ]/) { sub("^// ?", ""); head = head " " $0 }
      else { done[FILENAME] = 1; gsub("&", "\\&amp;", head); gsub("<", "\\&lt;", head); printf "- `%s`:%s\n", FILENAME, head }
    }'
}
headers >"$pages/headers.md"
{ cat docs/doxygen.conf; printf 'OUTPUT_DIRECTORY = "%s"\nHTML_OUTPUT = api\n' "$pages"; } | doxygen - >&2

config=$out.yml
{ cat docs/site.yml; printf 'docs_dir: %s\nsite_dir: %s\n' "$pages" "$out"; } >"$config"
log=$out.log
mkdocs build --strict --clean --config-file "$config" 2>&1 | tee "$log" >&2
if grep -q 'not included in the "nav"' "$log"; then
  echo "docs/site.yml does not list every page" >&2
  exit 1
fi
echo "$out/index.html"
