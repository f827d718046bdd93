// The geometric means of all groups, and the S-curves of one.

const chartOf = (group, id) => group.bars.find(chart => chart.id === id);

function drawOverview() {
  const rows = data.groups.flatMap((group, index) => {
    const colours = coloursOf(group);
    return group.configs.map((config, i) => ({ config, group, index, colour: colours[i], value: chartOf(group, "ipc").means[0].values[i] }))
      .filter(row => row.config !== group.baseline || group.configs.length === 1);
  });
  const width = narrow() ? 120 : 220;
  draw("overview", {
    grid: { left: width + 12, right: 48, top: 8, bottom: 44 },
    xAxis: valueAxis("geometric mean of the IPC, normalised", { nameGap: 26, min: 0 }),
    yAxis: categoryAxis(rows.map((_, i) => i), {
      inverse: true,
      axisLabel: { width, overflow: "break", formatter: (_, i) => shortName(rows[i].config, width) },
    }),
    tooltip: {
      trigger: "item",
      formatter: hit => {
        const row = rows[hit.dataIndex];
        return tip(row.config, [{ name: "over " + row.group.baseline, text: figure(row.value) }]);
      },
    },
    series: [{
      type: "bar",
      barMaxWidth: 18,
      data: rows.map(row => ({ value: row.value, itemStyle: { color: row.colour } })),
      label: {
        show: true, position: "right", color: ink, fontSize: 12, backgroundColor: paper, padding: 2,
        formatter: hit => hit.value === null ? "" : hit.value.toFixed(3),
      },
      markLine: baselineMark("xAxis"),
    }],
  }, 60 + 30 * rows.length);
}

function drawSCurve(group) {
  const chart = chartOf(group, "ipc"), colours = coloursOf(group);
  const shown = group.configs.map((_, i) => i).filter(i => group.configs[i] !== group.baseline);
  if (!shown.length) return sayAbsent("s_curve", "The group has only its baseline, so there is nothing to compare.");
  const sorted = shown.map(config => chart.values[config]
    .map((value, kernel) => ({ value, kernel }))
    .filter(point => point.value !== null)
    .sort((a, b) => a.value - b.value));
  if (!sorted.some(points => points.length)) return sayAbsent("s_curve", "No two runs of this group did equal work.");
  draw("s_curve", {
    grid: { left: 64, right: 16, top: 12, bottom: 44 },
    xAxis: valueAxis("kernels, from the slowest to the fastest", {
      nameGap: 26, min: 1, max: Math.max(2, ...sorted.map(points => points.length)), minInterval: 1, splitLine: { show: false },
      axisLabel: { color: softInk, fontSize: 12, showMaxLabel: false },
    }),
    yAxis: valueAxis("IPC, normalised", { nameGap: 44, min: 0 }),
    tooltip: {
      trigger: "item",
      formatter: hit => tip(group.stimuli[hit.value[2]], [{ colour: hit.color, name: hit.seriesName, text: figure(hit.value[1]) }]),
    },
    series: shown.map((config, i) => ({
      name: group.configs[config],
      type: "line",
      symbolSize: 6,
      lineStyle: { width: 2 },
      itemStyle: { color: colours[config] },
      data: sorted[i].map((point, rank) => [rank + 1, point.value, point.kernel]),
      ...(i === 0 ? { markLine: baselineMark("yAxis") } : {}),
    })),
  }, 340, shown.map(config => ({ name: group.configs[config], colour: colours[config] })));
}
