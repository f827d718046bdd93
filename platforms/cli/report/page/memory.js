// One kernel in detail: the memory hierarchy as boxes and arrows, from left to right, or from top to bottom in a narrow window.

const share = value => value === null || value === undefined ? "none" : (value * 100).toFixed(value > 0 && value < 0.0995 ? 1 : 0) + " %";
const bytes = value => value === null || value === undefined ? "none" : shortBytes(value);

/// A stronger colour means that more of the capacity was used.
function strength(used) {
  const step = [0.1, 0.25, 0.5, 0.75].findIndex(limit => (used ?? 0) < limit);
  return [edgeColour, ...heat.slice(1)][step < 0 ? 4 : step];
}

/// The boxes of a run, each with its lines, its used share, and the arrows to the next one. `was` has the baseline's levels, or null;
/// `ipc` is a text.
function memoryParts(levels, was, work, ipc) {
  const both = (show, level, column) => {
    const now = show(levels[level][column]);
    return was?.[level] ? `${now} (${show(was[level][column])})` : now;
  };
  const rate = (level, column) => levels[level].peak > 0 ? levels[level][column] / work.time_ns / levels[level].peak : null;
  const way = (name, column) => ({
    lines: [both(bytes, name, column), "links " + both(share, name, "utilisation"), "busiest " + both(share, name, "busiest")], used: levels[name].utilisation,
  });
  const box = (level, title, lines, arrows) => ({ level, title, lines, used: levels[level].utilisation, ...arrows });
  const parts = [
    box("sm", "SMs", ["IPC " + ipc, "issuing " + both(share, "sm", "utilisation")], {
      out: { lines: [both(shortCount, "sm", "reads") + " loads", both(shortCount, "sm", "writes") + " stores"], used: levels.l1.utilisation },
      back: { lines: [both(bytes, "l1", "read_bytes"), share(rate("l1", "read_bytes")) + " of the peak"], used: rate("l1", "read_bytes") },
    }),
    box("l1", "L1", ["hit rate " + both(share, "l1", "hit_rate"), "ports in use " + both(share, "l1", "utilisation"), "busiest " + both(share, "l1", "busiest")],
      { out: way("request", "written_bytes"), back: way("reply", "read_bytes"), network: "network" }),
    box("l2", "L2", ["hit rate " + both(share, "l2", "hit_rate"), "slices in use " + both(share, "l2", "utilisation"), "busiest " + both(share, "l2", "busiest")], {
      out: { lines: [both(bytes, "dram", "written_bytes"), "written"], used: levels.dram.utilisation },
      back: { lines: [both(bytes, "dram", "read_bytes"), "read"], used: levels.dram.utilisation },
    }),
    box("dram", "DRAM", ["row hits " + both(share, "dram", "hit_rate"), "buses in use " + both(share, "dram", "utilisation"), "busiest " + both(share, "dram", "busiest")], {}),
  ];
  const beside = (at, level, title, lines) => levels[level] && Object.assign(parts[at], { beside: box(level, title, lines()) });
  beside(0, "shared_memory", "shared memory", () => [both(shortCount, "shared_memory", "reads") + " accesses", "in use " + both(share, "shared_memory", "utilisation")]);
  const between = levels.between_l1 ? [both(bytes, "between_l1", "read_bytes") + " moved"] : [];
  if (levels.other_l1) beside(1, "other_l1", "other L1s", () => [both(shortCount, "other_l1", "reads") + " loads", both(bytes, "other_l1", "read_bytes"), ...between]);
  else beside(1, "between_l1", "between SMs and L1s", () => between);
  beside(2, "extended_llc", "extended LLC", () => [both(shortCount, "extended_llc", "reads") + " requests", "hit rate " + both(share, "extended_llc", "hit_rate")]);
  return parts;
}

const lineHeight = 16, boxHeight = 96;

const graphicText = (text, x, y, more = {}) => ({
  type: "text", silent: true,
  style: { text, x, y, fill: softInk, font: `12px ${getComputedStyle(document.body).fontFamily}`, textVerticalAlign: "middle", ...more },
});

const boxTitle = (title, x, y) => graphicText(title, x, y, { fill: ink, font: `bold 13px ${getComputedStyle(document.body).fontFamily}` });

/// A box with its title, its lines, and a bar for its used share.
function drawnBox({ title, lines, used }, { x, y, width, height }) {
  const bar = (length, colour) => ({ type: "rect", silent: true, shape: { x: x + 10, y: y + height - 12, width: length, height: 4, r: 2 }, style: { fill: colour } });
  return [
    { type: "rect", silent: true, shape: { x, y, width, height, r: 6 }, style: { fill: tint, stroke: edgeColour, lineWidth: 1 } },
    boxTitle(title, x + 10, y + 16),
    ...lines.map((line, i) => graphicText(line, x + 10, y + 35 + i * lineHeight)),
    ...(used === null || used === undefined ? [] : [bar(width - 20, lineColour), bar(Math.max(1, (width - 20) * Math.min(1, used)), strength(used))]),
  ];
}

/// An arrow along x or y from one place to the other.
function drawnArrow([x1, y1], [x2, y2], used) {
  const along = Math.sign(x2 - x1), down = Math.sign(y2 - y1), head = 7, colour = strength(used);
  return [
    { type: "line", silent: true, shape: { x1, y1, x2: x2 - along * head, y2: y2 - down * head }, style: { stroke: colour, lineWidth: 4 } },
    {
      type: "polygon", silent: true, style: { fill: colour },
      shape: { points: [[x2, y2], [x2 - along * 10 - down * 6, y2 - down * 10 - along * 6], [x2 - along * 10 + down * 6, y2 - down * 10 + along * 6]] },
    },
  ];
}

/// From left to right; elements beside a level are drawn below it.
function memoryAcross(parts, wide) {
  const width = 180, gap = (wide - 4 * width) / 3, top = 16, height = boxHeight + 40;
  const elements = parts.flatMap((part, i) => {
    const x = i * (width + gap), middle = top + height / 2, from = x + width + 6, to = x + width + gap - 6, centre = (from + to) / 2;
    const texts = (lines, y) => lines.map((line, row) => graphicText(line, centre, y + row * lineHeight, { textAlign: "center" }));
    return [
      ...drawnBox(part, { x, y: top, width, height }),
      ...(part.out ? [
        ...drawnArrow([from, middle - 8], [to, middle - 8], part.out.used), ...texts(part.out.lines, middle - 8 - 14 - (part.out.lines.length - 1) * lineHeight),
        ...drawnArrow([to, middle + 8], [from, middle + 8], part.back.used), ...texts(part.back.lines, middle + 8 + 16),
      ] : []),
      ...(part.beside ? [
        { type: "line", silent: true, shape: { x1: x + width / 2, y1: top + height, x2: x + width / 2, y2: top + height + 24 }, style: { stroke: edgeColour, lineWidth: 2 } },
        ...drawnBox(part.beside, { x, y: top + height + 24, width, height: boxHeight }),
      ] : []),
    ];
  });
  return { elements, height: top + height + (parts.some(part => part.beside) ? 24 + boxHeight : 0) + 8 };
}

/// From top to bottom; elements beside a level are drawn on its right.
function memoryDown(parts, wide) {
  const gap = 74, side = Math.min(150, wide * 0.42), elements = [];
  let y = 4;
  for (const part of parts) {
    const width = part.beside ? wide - side - 12 : wide;
    elements.push(...drawnBox(part, { x: 0, y, width, height: boxHeight }));
    if (part.beside) {
      elements.push({ type: "line", silent: true, shape: { x1: width, y1: y + 40, x2: width + 12, y2: y + 40 }, style: { stroke: edgeColour, lineWidth: 2 } });
      elements.push(...drawnBox(part.beside, { x: width + 12, y, width: side, height: boxHeight }));
    }
    y += boxHeight;
    if (!part.out) break;
    const texts = (lines, x) => lines.map((line, row) => graphicText(line, x, y + gap / 2 + (row - (lines.length - 1) / 2) * lineHeight));
    const half = wide / 2;
    elements.push(...drawnArrow([14, y + 6], [14, y + gap - 6], part.out.used), ...texts(part.out.lines, 26));
    elements.push(...drawnArrow([half + 10, y + gap - 6], [half + 10, y + 6], part.back.used), ...texts(part.back.lines, half + 22));
    y += gap;
  }
  return { elements, height: y + 8 };
}

function drawMemory(group, config, kernel) {
  if (kernel === null) return sayAbsent("memory", "Choose a kernel to see what passed between the levels of its memory.");
  const levels = levelsOf(group, config, kernel), work = workOf(group, config, kernel), base = group.configs.indexOf(group.baseline);
  if (!levels || !work) return sayAbsent("memory", whyAbsent(group.memory_levels[config][kernel], "memory_levels"));
  const ipcs = chartOf(group, "ipc").absolute, ipc = [config, base].map(one => figure(ipcs[one][kernel]));
  const parts = base === config ? memoryParts(levels, null, work, ipc[0]) : memoryParts(levels, levelsOf(group, base, kernel), work, `${ipc[0]} (${ipc[1]})`);
  const wide = place("memory").clientWidth;
  const { elements, height } = wide >= 1000 ? memoryAcross(parts, wide) : memoryDown(parts, wide);
  draw("memory", { graphic: { elements } }, height);
}
