// One kernel in detail: its energy over time, by structure.

const structureColours = {
  core: "#0072b2", l1: "#56b4e9", smem: "#8c6d31", noc_dyn: "#d55e00", noc_static: "#e69f00",
  l2_dyn: "#9163b6", l2_leak: "#cc79a7", dram: "#009e73", constant: "#9aa5b1",
};

/// Columns `names` of a table, the first at the bottom, stacked over its column `x`. `from` is the text before a position on the axis.
function drawAreas(id, table, { x, along, from, names, colour, axis, unit }) {
  const total = row => names.reduce((sum, name) => sum + row[columnOf(table, name)], 0);
  draw(id, {
    grid: { left: 64, right: 24, top: 12, bottom: 44 },
    xAxis: categoryAxis(table.rows.map(row => row[columnOf(table, x)]), {
      name: along, nameLocation: "middle", nameGap: 26, nameTextStyle: { color: softInk, fontSize: 12 }, boundaryGap: false,
      axisLabel: {
        color: softInk, interval: Math.ceil(table.rows.length / (narrow() ? 3 : 8)), formatter: text => shortCount(Number(text)),
      },
    }),
    yAxis: valueAxis(axis, { nameGap: 48, min: 0 }),
    tooltip: {
      trigger: "axis",
      formatter: hit => {
        const row = table.rows[hit[0].dataIndex];
        const rows = names.map(name => ({ colour: colour(name), name, text: figure(row[columnOf(table, name)]) + unit }));
        return tip(`${from} ${figure(row[columnOf(table, x)])}`, [...rows.reverse(), { name: "total", text: figure(total(row)) + unit }]);
      },
    },
    series: names.map(name => ({
      name,
      type: "line",
      stack: id,
      step: "end",
      showSymbol: false,
      itemStyle: { color: colour(name) },
      lineStyle: { width: 0 },
      areaStyle: { color: colour(name), opacity: 0.85 },
      data: table.rows.map(row => row[columnOf(table, name)]),
    })),
  }, 320, names.map(name => ({ name, colour: colour(name) })));
}

function drawEnergyOverTime(group, config, kernel) {
  if (kernel === null) return sayAbsent("energy_over_time", "Choose a kernel to see its power over time.");
  const table = group.energy_over_time[config][kernel];
  if (!table) return sayAbsent("energy_over_time", whyAbsent(table, "energy_over_time"));
  drawAreas("energy_over_time", table, {
    x: "cycle", along: "core cycles", from: "from cycle",
    names: table.columns.filter(name => name !== "cycle").reverse(),  // constant parts lie at the bottom
    colour: structure => structureColours[structure] ?? ink, axis: "W", unit: " W",
  });
}
