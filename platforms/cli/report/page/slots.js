// The issue slots of each kernel by cause. Each configuration has a bar as long as its time relative to the baseline's.

/// Groups of root causes, in the order of the bars: first `issued` and causes within the SM, last slots without a warp.
const slotGroups = [
  { name: "issued", colour: () => ink, causes: ["issued", "issuing"] },
  { name: "computing", colour: () => "#8c6d31", causes: /^(result|unit)_/ },
  { name: "shared memory", colour: () => "#c9b037", causes: ["shared"] },
  { name: "barrier", colour: () => "#cc79a7", causes: ["barrier"] },
  { name: "L1", colour: () => "#0072b2", causes: ["l1", "l1_port", "l1_queue", "lsu_queue"] },
  { name: "MSHRs and ways", colour: () => "#e69f00", causes: ["mshr", "mshr_full", "l1_way", "way_full", "l2_mshr"] },
  { name: "other L1s", colour: () => "#009e73", causes: ["peer"] },
  { name: "network", colour: () => "#d55e00", causes: ["network_up", "network_down"] },
  { name: "L2", colour: () => "#56b4e9", causes: ["l2", "l2_port", "l2_queue"] },
  { name: "DRAM", colour: () => "#9163b6", causes: ["dram", "dram_queue"] },
  { name: "stores", colour: () => "#b0586b", causes: ["stores"] },
  { name: "throttling", colour: () => "#6f8f4e", causes: ["filter", "loads_limit"] },
  { name: "no warp", colour: () => baselineColour, causes: /./ },  // and all other causes
];

const slotGroupOf = cause => slotGroups.find(({ causes }) => causes instanceof RegExp ? causes.test(cause) : causes.includes(cause));

/// The bars of a group, kernel by kernel. Each kernel begins with a row that contains only its name.
function slotBars(group) {
  const base = group.configs.indexOf(group.baseline), order = [base, ...group.configs.keys()].filter((config, i) => i === 0 || config !== base);
  const speedUp = chartOf(group, "ipc").values, labels = kernelLabels(group.stimuli);
  return group.stimuli.flatMap((stimulus, kernel) => {
    const bars = order.filter(config => group.slots[config][kernel]).map(config => ({
      stimulus,
      config: group.configs[config],
      length: 1 / (speedUp[config][kernel] || 1),
      shares: group.slots[config][kernel],
    }));
    return bars.length ? [{ heading: labels[kernel] }, ...bars] : [];
  });
}

const shareOfGroup = (bar, { name }) => Object.entries(bar.shares)
  .reduce((sum, [cause, share]) => sum + (slotGroupOf(cause).name === name ? share : 0), 0);

function slotTip(bar) {
  const causes = Object.entries(bar.shares).filter(([, share]) => share >= 0.005).sort((a, b) => b[1] - a[1]);
  const rows = causes.map(([cause, share]) => ({
    colour: slotGroupOf(cause).colour(), name: cause === "issued" ? "issue an instruction" : "wait for " + data.causes[cause], text: percentage(share),
  }));
  const most = narrow() ? 6 : 12;
  return tip(`${bar.stimulus}, ${bar.config}`, [...rows.slice(0, most), { name: "time over the baseline's", text: figure(bar.length) }]);
}

function drawSlots(group) {
  const rows = slotBars(group), bars = rows.filter(row => row.shares);
  if (!bars.length) return sayAbsent("slots", "No run of this group has counted its issue slots. ./wharf compare --explain counts them.");
  const used = slotGroups.filter(one => bars.some(bar => shareOfGroup(bar, one) > 0));
  const side = narrow() ? 112 : 220, height = 17;
  draw("slots", {
    grid: { left: side + 12, right: 20, top: 36, bottom: 8 },
    xAxis: valueAxis("time over the baseline's", { nameGap: 24, min: 0, position: "top" }),
    yAxis: categoryAxis(rows.map((_, i) => i), {
      inverse: true,
      axisLabel: {
        width: side, overflow: "truncate",
        formatter: (_, i) => rows[i].heading ? `{kernel|${shortName(rows[i].heading, side, 1)}}` : shortName(rows[i].config, side, 1),
        rich: { kernel: { fontWeight: "bold", fontSize: 12, color: ink } },
      },
    }),
    tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, formatter: hit => rows[hit[0].dataIndex].shares ? slotTip(rows[hit[0].dataIndex]) : "" },
    series: used.map((one, i) => ({
      name: one.name,
      type: "bar",
      stack: "slots",
      barWidth: height - 4,
      itemStyle: { color: one.colour() },
      data: rows.map(row => row.shares ? row.length * shareOfGroup(row, one) : null),
      ...(i === 0 ? { markLine: baselineMark("xAxis") } : {}),
    })),
  }, 48 + rows.length * height, used.map(one => ({ name: one.name, colour: one.colour() })));
}
