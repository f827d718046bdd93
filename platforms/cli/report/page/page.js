// Fills the page, and draws it again when a choice or its width changes.

const choices = Object.fromEntries(["group", "kernel", "config", "network"].map(id => [id, document.getElementById(id)]));

const groupName = group => {
  const others = group.configs.filter(config => config !== group.baseline);
  return others.length ? `${others.join(", ")} beside ${group.baseline}` : group.baseline;
};

/// Puts `names` into a <select>; `chosen` is the index of the selected one.
function offer(select, names, chosen) {
  select.replaceChildren(...names.map((name, i) => element("option", name, { value: i })));
  select.selectedIndex = chosen;
}

const shownGroup = () => data.groups[choices.group.selectedIndex];
/// The index of the kernel in the group; null for the mean of all.
const shownKernel = () => choices.kernel.selectedIndex === 0 ? null : choices.kernel.selectedIndex - 1;

function drawNetwork() {
  drawLinks(shownGroup(), choices.config.selectedIndex, shownKernel(), choices.network.selectedOptions[0]?.textContent);
}

function drawDetail() {
  const group = shownGroup(), kernel = shownKernel(), config = choices.config.selectedIndex;
  showInstructions(group, config, kernel);
  drawMemory(group, config, kernel);
  drawRoofline(group, config, kernel);
  drawLatencyStack(group, kernel);
  drawServedBy(group, config, kernel);
  const networks = [...new Set((linksOf(group, config, kernel) || []).map(link => link.network))];
  const before = choices.network.selectedOptions[0]?.textContent;
  offer(choices.network, networks, Math.max(0, networks.indexOf(before)));
  choices.network.parentElement.hidden = networks.length < 2;
  drawNetwork();
  drawBandwidth(group, config, kernel);
  drawParts(group, config, kernel);
  drawEnergyOverTime(group, config, kernel);
  drawWarps(group, config, kernel);
}

function drawGroup() {
  const group = shownGroup();
  makeBarSections(group);
  for (const chart of group.bars) drawBars(group, chart);
  drawSCurve(group);
  drawSlots(group);
  offer(choices.kernel, ["mean of all kernels", ...group.stimuli], 1);
  const others = group.configs.map((_, i) => i).filter(i => group.configs[i] !== group.baseline);
  offer(choices.config, group.configs, others[0] ?? 0);
  showDifferences(group);
  showRefused(group);
  drawDetail();
}

function redraw() {
  const before = ["kernel", "config", "network"].map(id => [id, choices[id].selectedIndex]);
  drawOverview();
  drawGroup();
  for (const [id, index] of before) if (index >= 0) choices[id].selectedIndex = index;
  drawDetail();
}

offer(choices.group, data.groups.map(groupName), 0);
choices.group.addEventListener("change", drawGroup);
choices.kernel.addEventListener("change", drawDetail);
choices.config.addEventListener("change", drawDetail);
choices.network.addEventListener("change", drawNetwork);
let width = document.documentElement.clientWidth;
addEventListener("resize", () => {
  if (document.documentElement.clientWidth === width) return;
  width = document.documentElement.clientWidth;
  redraw();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  readTheme();
  redraw();
});
drawOverview();
drawGroup();
document.documentElement.dataset.drawn = "yes";
