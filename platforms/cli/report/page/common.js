// Shared by all charts: the data, colours, number formats, and drawing into the page.

const data = JSON.parse(document.getElementById("data").textContent);

// Colours of the theme, from the style sheet.
let ink, softInk, lineColour, edgeColour, paper, tint, heat;
function readTheme() {
  const style = getComputedStyle(document.documentElement);
  [ink, softInk, lineColour, edgeColour, paper, tint, heat] =
    ["ink", "soft-ink", "line", "edge", "paper", "tint", "heat"].map(name => style.getPropertyValue("--" + name).trim());
  heat = heat.split(" ");
}
readTheme();

const baselineColour = "#9aa5b1";
// Colours that colour-blind people can distinguish (after Okabe and Ito).
const configColours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#9163b6", "#8c6d31"];
const narrow = () => document.documentElement.clientWidth < 720;

/// A colour for each configuration of a group; the baseline is grey.
function coloursOf(group) {
  let next = 0;
  return group.configs.map(config => config === group.baseline ? baselineColour : configColours[next++ % configColours.length]);
}

function figure(value) {
  if (value === null || value === undefined) return "none";
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en");
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
/// Formats 1200000 as 1.2 M.
function shortCount(value) {
  const [scale, unit] = value >= 1e12 ? [1e12, " T"] : value >= 1e9 ? [1e9, " G"] : value >= 1e6 ? [1e6, " M"] : value >= 1e3 ? [1e3, " k"] : [1, ""];
  const scaled = value / scale;
  return Number(scaled.toFixed(scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2)) + unit;
}
/// Formats a number with its unit, such as "1.2 MB".
const shortBytes = value => shortCount(value).replace(/ ?([kMGT]?)$/, " $1B");
const percentage = value => value === null ? "none" : (value * 100).toFixed(1) + " %";

/// "gemm@std" without "@std" if no kernel has another size.
function kernelLabels(stimuli) {
  const size = /@[a-z]+$/;
  const sizes = new Set(stimuli.map(name => size.exec(name)?.[0]).filter(Boolean));
  return sizes.size === 1 ? stimuli.map(name => name.replace(size, "")) : stimuli;
}

/// Breaks a name into the two lines of a label of that width in pixels; cuts text that does not fit from the middle.
function shortName(name, pixels, lines = 2) {
  const most = Math.max(8, Math.floor(lines * pixels / 7.4) - 3 * (lines - 1));
  return name.length <= most ? name : name.slice(0, Math.ceil(most / 2) - 1) + "\u2026" + name.slice(name.length - Math.floor(most / 2));
}

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function swatch(colour) {
  const made = element("i");
  made.style.background = colour;
  return made;
}

/// A table under `titles`. Each row begins with its name. `attributes` returns the attributes of the other cells, counted from 0.
function tableOf(titles, rows, attributes = () => ({})) {
  const table = element("table"), head = element("thead"), body = element("tbody"), top = element("tr");
  for (const title of titles) top.append(element("th", title, { scope: "col" }));
  head.append(top);
  for (const [name, ...values] of rows) {
    const row = element("tr");
    row.append(element("th", name, { scope: "row" }), ...values.map((value, i) => element("td", value, attributes(values, i))));
    body.append(row);
  }
  table.append(head, body);
  return table;
}

/// Names from inputs become text nodes, never HTML.
function tip(title, rows) {
  const box = element("div", undefined, { class: "tip" });
  box.append(element("b", title));
  for (const { colour, name, text } of rows) {
    const row = element("div");
    if (colour) row.append(swatch(colour));
    row.append(name, element("span", text));
    box.append(row);
  }
  return box;
}

const place = id => document.querySelector(`[data-chart="${id}"]`);

/// False in a page without the charting library, which shows only tables.
const hasCharts = typeof echarts !== "undefined";

/// Hides a chart and everything before it, up to its heading.
function hide(box) {
  for (let part = box; part; part = part.previousElementSibling) {
    part.hidden = true;
    if (/^H[1-6]$/.test(part.tagName)) return;
  }
}

function clear(box) {
  echarts.getInstanceByDom(box)?.dispose();
  box.replaceChildren();
  box.classList.remove("absent");
  const legend = box.previousElementSibling;
  if (legend?.classList.contains("legend")) legend.replaceChildren();
}

/// Replaces a chart by the reason for its absence.
function sayAbsent(id, why) {
  const box = place(id);
  if (!hasCharts) return hide(box);
  clear(box);
  box.style.height = "auto";
  box.classList.add("absent");
  box.textContent = why;
}

/// `entries` have a name and a colour; a click hides or shows the series of that name.
function fillLegend(box, chart, entries) {
  const legend = box.previousElementSibling;
  if (!legend?.classList.contains("legend")) return;
  for (const { name, colour } of entries) {
    const button = element("button", undefined, { type: "button", "aria-pressed": "true" });
    button.append(swatch(colour), name);
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      chart.dispatchAction({ type: "legendToggleSelect", name });
    });
    legend.append(button);
  }
}

/// Draws `option` in the named place, `height` pixels high.
function draw(id, option, height, legend = []) {
  const box = place(id);
  if (!hasCharts) return hide(box);
  clear(box);
  box.style.height = height + "px";
  const chart = echarts.init(box, null, { renderer: "svg" });
  chart.setOption({
    animation: false,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, color: ink },
    aria: { enabled: true },
    ...(legend.length ? { legend: { show: false, data: legend.map(entry => entry.name) } } : {}),
    ...option,
    tooltip: { confine: true, backgroundColor: paper, borderColor: lineColour, padding: 8, ...option.tooltip },
  });
  fillLegend(box, chart, legend);
}

const valueAxis = (name, more = {}) => ({
  type: "value",
  name,
  nameLocation: "middle",
  nameTextStyle: { color: softInk, fontSize: 12 },
  axisLabel: { color: softInk, fontSize: 12 },
  splitLine: { lineStyle: { color: lineColour } },
  ...more,
});

const categoryAxis = (names, more = {}) => ({
  type: "category",
  data: names,
  axisLine: { lineStyle: { color: edgeColour } },
  axisTick: { show: false },
  axisLabel: { color: ink, fontSize: 12, lineHeight: 16, interval: 0, ...more.axisLabel },
  ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== "axisLabel")),
});

/// A line at the baseline's value of a ratio.
const baselineMark = axis => ({
  silent: true,
  symbol: "none",
  label: { show: false },
  lineStyle: { color: ink, type: "solid", width: 1 },
  data: [{ [axis]: 1 }],
});
