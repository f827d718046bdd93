// One kernel in detail: warp states and interference between warps. Hidden if no run of the group measured them.

const warpColours = { active: "#0072b2", isolated: "#e69f00", stalled: "#9aa5b1" };
const interferenceColours = { interference_l1: "#0072b2", interference_shared: "#e69f00" };
const warpCharts = ["ipc_over_time", "warps_over_time", "interference_over_time", "interference"];

const hasWarps = group => ["warps_over_time", "interference"].some(name => group[name].some(row => row.some(table => table !== null)));

function drawWarpsOverTime(group, config, kernel) {
  const table = group.warps_over_time[config][kernel];
  if (!table) return sayAbsent("warps_over_time", whyAbsent(table, "warps_over_time"));
  drawAreas("warps_over_time", table, {
    x: "thread_instructions", along: "thread instructions", from: "from thread instruction", names: Object.keys(warpColours),
    colour: state => warpColours[state], axis: "warps of an SM", unit: "",
  });
}

function drawInterference(group, config, kernel) {
  const hits = group.interference[config][kernel];
  if (!hits) return sayAbsent("interference", whyAbsent(hits, "interference"));
  const most = Math.max(...hits.flat());
  const slots = (name, nameGap, more) => categoryAxis(hits.map((_, i) => i), {
    name, nameLocation: "middle", nameGap, nameTextStyle: { color: softInk, fontSize: 12 },
    axisLabel: { interval: narrow() ? 7 : 3 }, ...more,
  });
  const side = Math.min(place("interference").clientWidth - 76, 560);
  draw("interference", {
    grid: { left: 56, top: 40, width: side, height: side },
    xAxis: slots("warp that took the line", 26),
    yAxis: slots("warp that lost it", 34, { inverse: true }),
    visualMap: { ...heatMap(most, figure(most), "0"), left: 56 },
    tooltip: {
      trigger: "item",
      formatter: ({ value }) => tip(`W${value[0]} interferes with W${value[1]}`, [{ name: "hits in victim tags", text: figure(value[2]) }]),
    },
    series: [{ type: "heatmap", data: hits.flatMap((row, victim) => row.map((count, interferer) => [interferer, victim, count])) }],
  }, side + 92);
}

function drawWarps(group, config, kernel) {
  document.getElementById("warps").hidden = !hasWarps(group);
  if (kernel === null || !hasWarps(group)) {
    const why = kernel === null ? "Choose a kernel to see its warps." : "No run of this group measured its warps.";
    return warpCharts.forEach(id => sayAbsent(id, why));
  }
  const along = { table: "warps_over_time", x: "thread_instructions", along: "thread instructions", from: "from thread instruction" };
  drawLines("ipc_over_time", group, config, kernel, { ...along, names: ["ipc"], colour: () => ink, axis: "IPC", unit: "" });
  drawWarpsOverTime(group, config, kernel);
  drawLines("interference_over_time", group, config, kernel, {
    ...along, names: Object.keys(interferenceColours), colour: cache => interferenceColours[cache],
    axis: "hits a million instructions", unit: "",
  });
  drawInterference(group, config, kernel);
}
