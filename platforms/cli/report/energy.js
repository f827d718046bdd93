// One kernel in detail: where the energy goes while it runs.

const structureColours = {
  core: "#0072b2", l1: "#56b4e9", smem: "#8c6d31", noc_dyn: "#d55e00", noc_static: "#e69f00",
  l2_dyn: "#7a5195", l2_leak: "#cc79a7", dram: "#009e73", extras: "#1f2933", constant: "#9aa5b1",
};

function drawEnergyOverTime(group, config, kernel) {
  if (kernel === null) return sayAbsent("energy_over_time", "Choose a kernel to see its power over time.");
  const table = group.energy_over_time[config][kernel];
  if (!table) return sayAbsent("energy_over_time", whyAbsent(table, "energy_over_time"));
  // What never changes lies at the bottom.
  const structures = table.columns.filter(name => name !== "cycle").reverse();
  const cycle = columnOf(table, "cycle");
  const colour = structure => structureColours[structure] ?? ink;
  const total = row => structures.reduce((sum, structure) => sum + row[columnOf(table, structure)], 0);
  draw("energy_over_time", {
    grid: { left: 64, right: 24, top: 12, bottom: 44 },
    xAxis: categoryAxis(table.rows.map(row => row[cycle]), {
      name: "core cycles", nameLocation: "middle", nameGap: 26, nameTextStyle: { color: softInk, fontSize: 12 }, boundaryGap: false,
      axisLabel: { color: softInk, interval: Math.ceil(table.rows.length / (narrow() ? 3 : 8)), formatter: text => shortCount(Number(text)) },
    }),
    yAxis: valueAxis("W", { nameGap: 48, min: 0 }),
    tooltip: {
      trigger: "axis",
      formatter: hit => {
        const row = table.rows[hit[0].dataIndex];
        const rows = structures.map(name => ({ colour: colour(name), name, text: figure(row[columnOf(table, name)]) + " W" }));
        return tip(`from cycle ${figure(row[cycle])}`, [...rows.reverse(), { name: "total", text: figure(total(row)) + " W" }]);
      },
    },
    series: structures.map(structure => ({
      name: structure,
      type: "line",
      stack: "power",
      step: "end",
      showSymbol: false,
      itemStyle: { color: colour(structure) },
      lineStyle: { width: 0 },
      areaStyle: { color: colour(structure), opacity: 0.85 },
      data: table.rows.map(row => row[columnOf(table, structure)]),
    })),
  }, 320, structures.map(name => ({ name, colour: colour(name) })));
}
