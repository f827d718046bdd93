#!/usr/bin/env bash
# Builds a site of the documents with search, and Doxygen's pages of the public headers below api:
# docs/site.sh [TREE [OUT]], by default this tree and build/docs-site. The program writes the pages of keys, claims and workloads;
# WHARF_PROGRAM is its path, by default the tree's build/release/wharf.
# Fails if a link has no target, or if docs/site.yml does not list a page.
set -euo pipefail
tree=$(cd -- "${1:-$(dirname -- "${BASH_SOURCE[0]}")/..}" && pwd)
out=${2:-$tree/build/docs-site}
mkdir -p "$out"
out=$(cd -- "$out" && pwd)

# mkdocs reads one folder of pages. They keep their relative paths, so their links remain valid.
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
# mkdocs needs nested lists indented by four spaces, GitHub by two.
find "$pages" -name '*.md' -exec sed -i 's/^  - /    - /' {} +

# One line for each header that `cmake --install` installs, with the first paragraph of its comment.
headers() {
  printf '# Public headers\n\nThe headers that `cmake --install` puts below include/wharf, with the first paragraph of their comments. '
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
