// Bars by kernel and configuration. A gap separates the means at the end.

/// Values in the order of the axis: kernels, a gap, means.
const withMeans = (chart, config) => [...chart.values[config], null, ...chart.means.map(mean => mean.values[config])];

function barTip(group, chart, shown, index) {
  const text = value => chart.is_percentage ? percentage(value) : figure(value);
  const colours = coloursOf(group), kernels = group.stimuli.length;
  const title = index < kernels ? group.stimuli[index] : chart.means[index - kernels - 1]?.name;
  const rows = shown.map(config => {
    const absolute = chart.absolute && index < kernels ? `  (${chart.metric} ${figure(chart.absolute[config][index])})` : "";
    return { colour: colours[config], name: group.configs[config], text: text(withMeans(chart, config)[index]) + absolute };
  });
  if (chart.absolute && index < kernels) {
    const base = group.configs.indexOf(group.baseline);
    rows.push({ colour: baselineColour, name: group.baseline, text: `${chart.metric} ${figure(chart.absolute[base][index])}` });
  }
  return tip(title, rows);
}

function drawBars(group, chart) {
  const colours = coloursOf(group), upright = !narrow();
  const others = group.configs.map((_, i) => i).filter(i => !chart.is_ratio || group.configs[i] !== group.baseline);
  const shown = others.length ? others : [0];
  const side = upright ? 110 : 100;  // pixels for a name
  const names = [...kernelLabels(group.stimuli).map(name => shortName(name, side, 1)), "", ...chart.means.map(mean => mean.name)];
  const kernels = group.stimuli.length;
  if (!shown.some(config => chart.values[config].some(value => value !== null)))
    return sayAbsent(chart.id, `No run of this group measured ${chart.metric ?? chart.axis}.`);

  const crowded = names.length > 14;
  const value = valueAxis(chart.axis, {
    nameGap: upright ? 44 : 26,
    position: upright ? "left" : "top",  // the top of a long chart is visible first
    min: 0,
    axisLabel: { color: softInk, fontSize: 12, formatter: v => chart.is_percentage ? Math.round(v * 100) + " %" : String(v) },
  });
  const category = categoryAxis(names, {
    inverse: !upright,
    axisLabel: {
      width: side,
      overflow: "break",
      rotate: upright && crowded ? 50 : 0,
      formatter: name => upright && !crowded ? name.replace(" mean", "\nmean") : name,
    },
  });
  const along = upright ? "xAxis" : "yAxis", across = upright ? "yAxis" : "xAxis";
  const means = {
    silent: true,
    itemStyle: { color: tint },
    data: [[{ [along]: kernels + 1 }, { [along]: names.length - 1 }]],
  };
  const series = shown.map((config, i) => ({
    name: group.configs[config],
    type: "bar",
    itemStyle: { color: colours[config] },
    barGap: "5%",
    barCategoryGap: "25%",
    barMaxWidth: 28,
    data: withMeans(chart, config),
    ...(i === 0 ? { markArea: means, ...(chart.is_ratio ? { markLine: baselineMark(across) } : {}) } : {}),
  }));
  const option = {
    grid: upright ? { left: 64, right: 8, top: 12, bottom: crowded ? 96 : 32 } : { left: 108, right: 20, top: 44, bottom: 8 },
    xAxis: upright ? category : value,
    yAxis: upright ? value : category,
    tooltip: {
      trigger: "axis",
      axisPointer: { type: "shadow" },
      formatter: hit => hit[0].dataIndex === kernels ? "" : barTip(group, chart, shown, hit[0].dataIndex),
    },
    series,
  };
  const height = upright ? (crowded ? 400 : 330) : 60 + names.length * (10 + 9 * shown.length);
  draw(chart.id, option, height, shown.map(config => ({ name: group.configs[config], colour: colours[config] })));
}

/// One section per bar chart of the group.
function makeBarSections(group) {
  const sections = group.bars.map(chart => {
    const section = element("section");
    const over = chart.is_ratio ? `${chart.title} compared with ${group.baseline}` : chart.title;
    section.append(element("h2", over), element("p", chart.note, { class: "note" }), element("div", undefined, { class: "legend" }),
      element("div", undefined, { class: "chart", "data-chart": chart.id }));
    return section;
  });
  document.getElementById("bars").replaceChildren(...sections);
}
