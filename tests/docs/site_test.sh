#!/usr/bin/env bash
# The site of the documents is complete, and missing parts are detected. Without mkdocs or Doxygen: skipped (77).
# site_test.sh SOURCE_FOLDER WORKING_FOLDER
set -euo pipefail
source=$1 work=$2
for tool in mkdocs doxygen; do
  command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed (./wharf docs installs it)"; exit 77; }
done
rm -rf -- "$work"
mkdir -p "$work"

fail() { echo "$*" >&2; exit 1; }
site() { "$source/docs/site.sh" "$work/tree" "$work/site" >"$work/log" 2>&1; }
# A copy of the documents, in which the test makes errors.
copy() {
  rm -rf -- "$work/tree"
  mkdir -p "$work/tree"
  (cd "$source" && cp README.md LICENSE "$work/tree" && cp --parents tests/README.md "$work/tree" &&
    cp -r docs model policies stimuli platforms "$work/tree")
}

"$source/docs/site.sh" "$source" "$work/whole" || fail "the documents are no site"
# The program's output is on its pages.
for found in parameters:l2.replacement claims:MOR-132 workloads:squeezenet@std; do
  grep -q "${found#*:}" "$work/whole/docs/${found%:*}.html" || fail "docs/${found%:*}.html has no ${found#*:}"
done
for page in index.html docs/walk.html docs/rules/index.html model/l1/index.html headers.html search/search_index.json; do
  [[ -s $work/whole/$page ]] || fail "the site has no $page"
done
grep -q 'model/l1/l1_logic.h' "$work/whole/headers.html" || fail "the page of headers has no model/l1/l1_logic.h"
api=$work/whole/api
grep -q 'Decides and counts; time is only an argument' "$api/l1__logic_8h.html" || fail "the API has not what a header says of itself"
grep -q 'Elaborates the platform' "$api/classwharf_1_1Simulation.html" || fail "the API has no comment of a member"
! compgen -G "$api/*run__spec_8h*" >/dev/null || fail "the API has headers of the program"
grep -q 'href="api/index.html"' "$work/whole/headers.html" || fail "no page links the API"
grep -q crossbar "$work/whole/search/search_index.json" || fail "nothing can be searched for"

copy
echo '[gone](nowhere.md)' >>"$work/tree/docs/walk.md"
! site || fail "a broken link passes"
grep -q "docs/walk.md.*nowhere.md" "$work/log" || fail "a broken link is not named: $(cat "$work/log")"

copy
echo '# Lost' >"$work/tree/model/lost.md"
! site || fail "a page that is in no list passes"
grep -q "model/lost.md" "$work/log" || fail "a page that is in no list is not named: $(cat "$work/log")"

copy
rm "$work/tree/model/nic/README.md"
! site || fail "an entry without a page passes"
grep -q "model/nic/README.md" "$work/log" || fail "an entry without a page is not named: $(cat "$work/log")"
