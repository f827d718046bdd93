// Tables of a group: the keys in which its configurations differ, and the configurations that could not run.

function showDifferences(group) {
  const box = document.getElementById("differences");
  if (!group.differences.length) {
    box.replaceChildren(element("p", "The resolved configurations of this group are the same.", { class: "note" }));
    return;
  }
  const base = group.configs.indexOf(group.baseline);
  const rows = group.differences.map(values => values.map(value => value === "" ? "\u2013" : value));
  box.replaceChildren(tableOf(["key", ...group.configs], rows, (values, i) => values[i] !== values[base] && i !== base ? { class: "changed" } : {}));
}

function showRefused(group) {
  const box = document.getElementById("refused");
  box.replaceChildren();
  if (!group.refused.length) return;
  box.append(element("h3", "Refused on this GPU"));
  for (const { config, reason } of group.refused) {
    const entry = element("div", undefined, { class: "refused" });
    entry.append(element("b", config), element("pre", reason));
    box.append(entry);
  }
}
