// One kernel in detail: latency stacks, links of a network, bandwidth over time. energy.js draws energy over time.

const stageColours = {
  lsu: "#7b8794", l1: "#0072b2", queueing: "#e69f00", network: "#d55e00",
  peer: "#009e73", l2: "#56b4e9", dram: "#9163b6", merged: "#cc79a7",
};
const levelColours = { l1: "#0072b2", l2: "#e69f00", dram: "#9163b6" };

/// The reason why `group[name]` has no entry for a run: the run did not measure it, or the page does not contain the table.
const whyAbsent = (table, name) => table === false
  ? `The table ${name} of this run did not fit into the page; it is in the run's result.json.`
  : `This run has no table ${name} in its result.json.`;

const columnOf = (table, name) => table.columns.indexOf(name);
const stagesOf = table => table.columns.filter(name => name !== "served_by" && name !== "loads");
const rowOf = (table, servedBy) => table.rows.find(row => row[columnOf(table, "served_by")] === servedBy);

/// Mean cycles by stage over all loads of a configuration, for one kernel or over all kernels with a stack.
function stackOf(group, config, kernel) {
  const tables = (kernel === null ? group.latency_stack[config] : [group.latency_stack[config][kernel]]).filter(table => table);
  const rows = tables.map(table => [table, rowOf(table, "all")]).filter(([, row]) => row);
  if (!rows.length) return null;
  return Object.fromEntries(stagesOf(tables[0]).map(stage =>
    [stage, rows.reduce((sum, [table, row]) => sum + (row[columnOf(table, stage)] ?? 0), 0) / rows.length]));
}

/// Bars of stages, one below the other. Each of `bars` has a label, a name for the tooltip, and cycles by stage.
function drawStacks(id, bars) {
  const stages = Object.keys(bars[0].cycles).filter(stage => bars.some(bar => bar.cycles[stage] > 0));
  const total = bar => stages.reduce((sum, stage) => sum + bar.cycles[stage], 0);
  const colour = stage => stageColours[stage] ?? ink;
  const side = narrow() ? 104 : 220;
  draw(id, {
    grid: { left: side + 12, right: 56, top: 8, bottom: 44 },
    xAxis: valueAxis("core cycles per load", { nameGap: 26, min: 0 }),
    yAxis: categoryAxis(bars.map((_, i) => i), {
      inverse: true,
      axisLabel: { width: side, overflow: "break", formatter: (_, i) => shortName(bars[i].label, side) },
    }),
    tooltip: {
      trigger: "axis",
      axisPointer: { type: "shadow" },
      formatter: hit => {
        const bar = bars[hit[0].dataIndex];
        const rows = stages.map(stage => ({ colour: colour(stage), name: stage, text: figure(bar.cycles[stage]) }));
        return tip(bar.name, [...rows, { name: "round trip", text: figure(total(bar)) + " cycles" }]);
      },
    },
    series: stages.map((stage, i) => ({
      name: stage,
      type: "bar",
      stack: "load",
      barMaxWidth: 22,
      itemStyle: { color: colour(stage) },
      data: bars.map(bar => bar.cycles[stage]),
      ...(i === stages.length - 1 ? {
        label: { show: true, position: "right", color: ink, fontSize: 12, formatter: hit => figure(total(bars[hit.dataIndex])) },
      } : {}),
    })),
  }, 60 + 36 * bars.length, stages.map(stage => ({ name: stage, colour: colour(stage) })));
}

function drawLatencyStack(group, kernel) {
  const bars = group.configs
    .map((config, i) => ({ label: config, name: config, cycles: stackOf(group, i, kernel) }))
    .filter(bar => bar.cycles);
  if (!bars.length) return sayAbsent("latency_stack", whyAbsent(group.latency_stack[0][kernel ?? 0], "latency_stack"));
  drawStacks("latency_stack", bars);
}

function drawServedBy(group, config, kernel) {
  if (kernel === null) return sayAbsent("served_by", "Choose a kernel to see its loads by the block that served them.");
  const table = group.latency_stack[config][kernel];
  if (!table) return sayAbsent("served_by", whyAbsent(table, "latency_stack"));
  const servedBy = columnOf(table, "served_by"), loads = columnOf(table, "loads"), all = rowOf(table, "all")?.[loads];
  const bars = table.rows.filter(row => row[servedBy] !== "all").map(row => ({
    label: all ? `${row[servedBy]} (${percentage(row[loads] / all)})` : row[servedBy],
    name: `served by ${row[servedBy]}: ${figure(row[loads])} loads`,
    cycles: Object.fromEntries(stagesOf(table).map(stage => [stage, row[columnOf(table, stage)] ?? 0])),
  }));
  if (!bars.length) return sayAbsent("served_by", "This run has no loads.");
  drawStacks("served_by", bars);
}

/// The links of a run with their positions; null if it has none, false if the page does not contain them.
function linksOf(group, config, kernel) {
  const run = kernel === null ? null : group.links[config][kernel];
  if (!run) return run;
  const wiring = data.wirings[run.wiring];
  return run.thousandths.map((busy, i) =>
    ({ busy: busy / 10, ...Object.fromEntries(wiring.columns.map((name, column) => [name, wiring.rows[i][column]])) }));
}

/// A heat scale up to `max`, with labels at both ends.
const heatMap = (max, most, least) => ({
  type: "continuous",
  min: 0,
  max,
  calculable: false,
  orient: "horizontal",
  left: "center",
  top: 0,
  itemHeight: 160,
  itemWidth: 12,
  text: [most, least],
  textStyle: { color: softInk, fontSize: 12 },
  inRange: { color: heat },
});
/// The upper end of a scale for shares in %: 5, 10, 20, 50 or 100.
function heatOfShares(shares) {
  const max = [5, 10, 20, 50].find(limit => shares.every(share => share <= limit)) ?? 100;
  return heatMap(max, `${max} % busy`, "0 %");
}
const heatOfLinks = links => heatOfShares(links.map(link => link.busy));
const linkTip = link => tip(`${link.from} to ${link.to}`, [{ name: "busy", text: link.busy.toFixed(1) + " % of cycles" }]);

const routerTip = links => links.length === 0 ? "" : tip("Links to nodes",
  links.map(link => ({ name: `${link.from} to ${link.to}`, text: link.busy.toFixed(1) + " %" })));

/// Ports of crossbars in rows: x is the port, y its side.
function drawPorts(links) {
  const sides = ["inputs", "outputs"], ports = Math.max(...links.map(link => link.x0)) + 1;
  draw("links", {
    grid: { left: 64, right: 12, top: 40, bottom: 44 },
    xAxis: categoryAxis(Array.from({ length: ports }, (_, i) => i), {
      name: "port", nameLocation: "middle", nameGap: 26, nameTextStyle: { color: softInk, fontSize: 12 },
      axisLabel: { interval: Math.max(0, Math.ceil(ports / (narrow() ? 8 : 20)) - 1) },
    }),
    yAxis: categoryAxis(sides, { inverse: true }),
    visualMap: heatOfLinks(links),
    tooltip: { trigger: "item", formatter: hit => linkTip(links[hit.dataIndex]) },
    series: [{
      type: "heatmap",
      itemStyle: { borderColor: paper, borderWidth: 1 },
      data: links.map(link => [link.x0, link.y0, link.busy]),
    }],
  }, 190);
}

const isLocal = link => link.x0 === link.x1 && link.y0 === link.y1;

/// Links between routers as lines, one per direction, side by side. Links to nodes are drawn at their router, whose square shows the heat
/// of the busiest.
function drawRouters(links) {
  const columns = Math.max(...links.flatMap(link => [link.x0, link.x1])) + 1;
  const rows = Math.max(...links.flatMap(link => [link.y0, link.y1])) + 1;
  const between = links.filter(link => !isLocal(link));
  const lines = between.map(link => {
    const dx = link.x1 - link.x0, dy = link.y1 - link.y0, length = Math.hypot(dx, dy), aside = 0.09;
    const at = (x, y) => [x - aside * dy / length, y + aside * dx / length];
    return {
      coords: [at(link.x0, link.y0), at(link.x1, link.y1)],
      value: link.busy,
      lineStyle: { curveness: length > 1.5 && dx * dy === 0 ? 0.2 : 0 },  // a link that skips routers bends around them
    };
  });
  const routers = new Map(between.flatMap(link => [[`${link.x0},${link.y0}`, []], [`${link.x1},${link.y1}`, []]]));
  for (const link of links.filter(isLocal)) {
    const at = `${link.x0},${link.y0}`;
    routers.set(at, [...(routers.get(at) ?? []), link]);
  }
  const squares = [...routers].map(([at, nodes]) => {
    const busy = nodes.length ? Math.max(...nodes.map(link => link.busy)) : 0;
    return { value: [...at.split(",").map(Number), busy], links: nodes };
  });
  const width = place("links").clientWidth, cell = Math.min((width - 24) / columns, 84), side = (width - cell * columns) / 2;
  const axis = (count, more) => ({ type: "value", show: false, min: -0.5, max: count - 0.5, ...more });
  draw("links", {
    grid: { left: side, right: side, top: 36, bottom: 4 },
    xAxis: axis(columns),
    yAxis: axis(rows, { inverse: true }),
    visualMap: heatOfLinks(links),
    tooltip: {
      trigger: "item",
      formatter: hit => hit.seriesIndex === 0 ? linkTip(between[hit.dataIndex]) : routerTip(squares[hit.dataIndex].links),
    },
    series: [
      {
        type: "lines", coordinateSystem: "cartesian2d", data: lines,
        lineStyle: { width: Math.max(3, Math.min(7, cell / 10)), opacity: 1 },
      },
      {
        type: "scatter", symbol: "rect", symbolSize: Math.min(28, cell * 0.42), data: squares,
        itemStyle: { borderColor: edgeColour, opacity: 1 },
      },
    ],
  }, 40 + cell * rows);
}

function drawLinks(group, config, kernel, network) {
  const all = linksOf(group, config, kernel);
  if (!all) return sayAbsent("links", kernel === null ? "Choose a kernel to see the links of its run." : whyAbsent(all, "links"));
  const links = all.filter(link => link.network === network);
  if (!links.length) return sayAbsent("links", "This network has no links.");
  (links.every(isLocal) ? drawPorts : drawRouters)(links);
}

/// Columns `names` of a table as lines over its column `x`: solid for the chosen configuration, dashed for the baseline.
function drawLines(id, group, config, kernel, { table: name, x, along, from, names, colour, axis, unit }) {
  const table = group[name][config][kernel];
  if (!table) return sayAbsent(id, whyAbsent(table, name));
  const base = group.configs.indexOf(group.baseline);
  const runs = [{ table, type: "solid", name: group.configs[config] }];
  if (base !== config && group[name][base][kernel]) runs.push({ table: group[name][base][kernel], type: "dashed", name: group.baseline });
  draw(id, {
    grid: { left: 64, right: 24, top: 12, bottom: 44 },
    xAxis: valueAxis(along, {
      nameGap: 26, min: 0, splitLine: { show: false }, splitNumber: narrow() ? 3 : 8,
      axisLabel: { color: softInk, fontSize: 12, hideOverlap: true, formatter: shortCount },
    }),
    yAxis: valueAxis(axis, { nameGap: 48, min: 0, axisLabel: { color: softInk, fontSize: 12, formatter: shortCount } }),
    tooltip: {
      trigger: "item",
      formatter: hit => tip(`${hit.seriesName}, ${from} ${figure(hit.value[0])}`,
        [{ colour: hit.color, name: runs[Math.floor(hit.seriesIndex / names.length)].name, text: figure(hit.value[1]) + unit }]),
    },
    series: runs.flatMap(run => names.map(column => ({
      name: column,
      type: "line",
      showSymbol: true,
      symbolSize: 4,
      symbol: "circle",
      itemStyle: { color: colour(column), opacity: 0 },
      emphasis: { itemStyle: { opacity: 1 } },
      lineStyle: {
        width: run.type === "solid" ? 1.75 : 1, type: run.type, color: colour(column), opacity: run.type === "solid" ? 1 : 0.7,
      },
      data: run.table.rows.map(row => [row[columnOf(run.table, x)], row[columnOf(run.table, column)]]),
    }))),
  }, 320, names.map(column => ({ name: column, colour: colour(column) })));
}

function drawBandwidth(group, config, kernel) {
  if (kernel === null) return sayAbsent("bandwidth", "Choose a kernel to see its bandwidth over time.");
  drawLines("bandwidth", group, config, kernel, {
    table: "bandwidth", x: "cycle", along: "core cycles", from: "from cycle", names: Object.keys(levelColours), colour: level => levelColours[level],
    axis: "bytes per core cycle", unit: " B per cycle",
  });
}
