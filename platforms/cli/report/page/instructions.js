// A table of the instructions that cost the most issue slots in one run.

function showInstructions(group, config, kernel) {
  const table = kernel === null ? null : group.instructions[config][kernel];
  const absent = kernel === null ? "Choose a kernel to see its instructions."
    : "This run has not counted its issue slots. ./wharf compare --explain counts them.";
  document.getElementById("instructions").replaceChildren(
    table ? tableOf(table.columns, table.rows) : element("p", absent, { class: "note" }));
}
