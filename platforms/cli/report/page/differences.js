// Tables of a group: the keys in which its configurations differ, and the configurations that do not fit.

function showDifferences(group) {
  const box = document.getElementById("differences");
  if (!group.differences.length) {
    box.replaceChildren(element("p", "The resolved configurations of this group are the same.", { class: "note" }));
    return;
  }
  const table = element("table"), head = element("thead"), body = element("tbody");
  const titles = element("tr");
  for (const name of ["key", ...group.configs]) titles.append(element("th", name, { scope: "col" }));
  head.append(titles);
  const base = group.configs.indexOf(group.baseline) + 1;
  for (const values of group.differences) {
    const row = element("tr");
    row.append(element("th", values[0], { scope: "row" }));
    values.slice(1).forEach((value, i) =>
      row.append(element("td", value === "" ? "\u2013" : value, value !== values[base] && i + 1 !== base ? { class: "changed" } : {})));
    body.append(row);
  }
  table.append(head, body);
  box.replaceChildren(table);
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
