// One kernel in detail: its place below the roofs of the machine, an instruction roofline with a slope for each level of the memory hierarchy.

const roofLevels = ["l1", "l2", "dram"];
const levelNames = { l1: "L1", l2: "L2", dram: "DRAM" };

/// The rows of the table memory_levels by level, as objects; null if the run has none.
function levelsOf(group, config, kernel) {
  const table = group.memory_levels[config][kernel];
  if (!table) return null;
  return Object.fromEntries(table.rows.map(row => [row[0], Object.fromEntries(table.columns.map((name, i) => [name, row[i]]))]));
}

/// Simulated ns and warp instructions of a run; null if it did not finish.
const workOf = (group, config, kernel) => group.work[config][kernel];

/// A mark for each level that moved bytes: instructions per byte, and instructions per ns.
function roofMarks(group, config, kernel) {
  const levels = levelsOf(group, config, kernel), work = workOf(group, config, kernel);
  if (!levels || !work) return [];
  return roofLevels.flatMap(level => {
    const bytes = (levels[level]?.read_bytes ?? 0) + (levels[level]?.written_bytes ?? 0);
    return bytes > 0 ? [{ level, config, kernel, bytes, x: work.warp_instructions / bytes, y: work.warp_instructions / work.time_ns }] : [];
  });
}

/// The roofs of the configuration's machine: its highest issue rate, and each level's bytes per ns.
function roofsOf(group, config, kernels) {
  const levels = kernels.map(kernel => levelsOf(group, config, kernel)).find(Boolean);
  if (!levels?.sm.peak) return null;
  return { issue: levels.sm.peak, slopes: roofLevels.filter(level => levels[level]?.peak > 0).map(level => ({ level, peak: levels[level].peak })) };
}

const threeDigits = value => String(Number(value.toPrecision(3)));
const decade = (value, up) => 10 ** (up ? Math.ceil(Math.log10(value)) : Math.floor(Math.log10(value)));

function roofTip(group, roofs, mark) {
  const roof = roofs.slopes.find(({ level }) => level === mark.level);
  const most = roof ? Math.min(roofs.issue, mark.x * roof.peak) : roofs.issue;
  return tip(`${group.stimuli[mark.kernel]}, ${group.configs[mark.config]}`, [
    { colour: levelColours[mark.level], name: "bytes moved by " + levelNames[mark.level], text: shortBytes(mark.bytes) },
    { name: "warp instructions a byte", text: threeDigits(mark.x) },
    { name: "warp instructions a ns", text: threeDigits(mark.y) },
    { name: "of what this roof allows", text: percentage(mark.y / most) },
  ]);
}

function roofSeries(roofs, [from, to]) {
  const colour = level => levelColours[level];
  const slope = ({ level, peak }) => ({
    name: roofName({ level, peak }), type: "line", silent: true, showSymbol: false, lineStyle: { color: colour(level), width: 2 }, itemStyle: { color: colour(level) },
    data: roofs.issue / peak > from ? [[from, from * peak], [roofs.issue / peak, roofs.issue]] : [],
  });
  const flat = Math.min(...roofs.slopes.map(({ peak }) => roofs.issue / peak).filter(x => x > from), to);
  return [
    ...roofs.slopes.map(slope),
    { name: issueName(roofs), type: "line", silent: true, showSymbol: false, lineStyle: { color: ink, width: 2 }, itemStyle: { color: ink }, data: [[flat, roofs.issue], [to, roofs.issue]] },
  ];
}

const roofName = ({ level, peak }) => `${levelNames[level]}: ${shortBytes(peak * 1e9)}/s`;
const issueName = roofs => `issue: ${shortCount(roofs.issue * 1e9)} instructions/s`;

function drawRoofline(group, config, kernel) {
  const kernels = kernel === null ? [...group.stimuli.keys()] : [kernel], base = group.configs.indexOf(group.baseline);
  const roofs = roofsOf(group, config, kernels);
  const full = kernels.flatMap(one => roofMarks(group, config, one)), hollow = base === config ? [] : kernels.flatMap(one => roofMarks(group, base, one));
  if (!roofs || !full.length) return sayAbsent("roofline", whyAbsent(group.memory_levels[config][kernel ?? 0], "memory_levels"));
  const marks = [...full, ...hollow], ridges = roofs.slopes.map(({ peak }) => roofs.issue / peak);
  const across = [decade(Math.min(...marks.map(mark => mark.x), ...ridges), false), decade(Math.max(...marks.map(mark => mark.x), ...ridges) * 1.5, true)];
  const down = decade(Math.min(...marks.map(mark => mark.y)) / 1.5, false), up = roofs.issue * 2;
  const log = (name, nameGap, min, max) => valueAxis(name, {
    type: "log", nameGap, min, max, splitNumber: narrow() ? 4 : 8,
    axisLabel: { color: softInk, fontSize: 12, hideOverlap: true, showMaxLabel: false, formatter: value => value >= 1e-3 ? String(Number(value.toPrecision(1))) : value.toExponential(0) },
  });
  const points = (set, filled) => ({
    type: "scatter", symbol: "circle", symbolSize: kernel === null ? 9 : 13, z: filled ? 4 : 3,
    data: set.map(mark => ({
      value: [mark.x, mark.y], mark,
      itemStyle: { color: filled ? levelColours[mark.level] : paper, borderColor: filled ? paper : levelColours[mark.level], borderWidth: filled ? 1 : 2, opacity: 1 },
    })),
  });
  draw("roofline", {
    grid: { left: 64, right: 20, top: 12, bottom: 44 },
    xAxis: log("warp instructions a byte", 26, ...across),
    yAxis: log("warp instructions a ns", 48, down, up),
    tooltip: { trigger: "item", formatter: hit => roofTip(group, roofs, hit.data.mark) },
    series: [...roofSeries(roofs, across), points(hollow, false), points(full, true)],
  }, 340, [...roofs.slopes.map(roof => ({ name: roofName(roof), colour: levelColours[roof.level] })), { name: issueName(roofs), colour: ink }]);
}
