// One kernel in detail: heat maps of the L2 slices and of the DRAM channels over time.

/// The busy share in % of the part in that column of a row (RunTables::shades).
const shareAt = (table, row, column) => (row.charCodeAt(column - 1) - 35) / 90 * table.most / 10;

/// A row of cells for each part whose column begins with `prefix`.
function drawPartsOf(id, table, prefix, name) {
  const columns = table.columns.filter(column => column.startsWith(prefix)), places = columns.map(column => columnOf(table, column));
  const cells = table.rows.flatMap((row, x) => places.map((at, y) => [x, y, shareAt(table, row, at)]));
  const height = Math.max(120, Math.min(columns.length, 64) * 8), marks = narrow() ? 3 : 8;
  draw(id, {
    grid: { left: 64, right: 24, top: 40, bottom: 44 },
    xAxis: categoryAxis(table.at, {
      name: "core cycles", nameLocation: "middle", nameGap: 26, nameTextStyle: { color: softInk, fontSize: 12 },
      axisLabel: { color: softInk, interval: Math.ceil(table.rows.length / marks), formatter: text => shortCount(Number(text)) },
    }),
    yAxis: categoryAxis(columns.map(column => column.slice(prefix.length)), {
      name, nameLocation: "middle", nameGap: 34, nameTextStyle: { color: softInk, fontSize: 12 }, inverse: true,
      axisLabel: { color: softInk, interval: Math.ceil(columns.length * 20 / height) - 1 },
    }),
    visualMap: heatOfShares(cells.map(cell => cell[2])),
    tooltip: {
      trigger: "item",
      formatter: ({ value: [x, y, busy] }) => tip(`${name} ${columns[y].slice(prefix.length)}, from cycle ${figure(table.at[x])}`,
        [{ name: "busy", text: busy.toFixed(1) + " % of cycles" }]),
    },
    series: [{ type: "heatmap", data: cells }],
  }, height + 84);
}

function drawParts(group, config, kernel) {
  const table = kernel === null ? null : group.parts_over_time[config][kernel];
  for (const [id, prefix, name] of [["slices", "l2.", "L2 slice"], ["channels", "dram.", "DRAM channel"]]) {
    if (table) drawPartsOf(id, table, prefix, name);
    else sayAbsent(id, kernel === null ? `Choose a kernel to see each ${name} over time.` : whyAbsent(table, "parts_over_time"));
  }
}
