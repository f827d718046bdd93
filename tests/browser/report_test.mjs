// Tests report.html in headless Chromium, with a real comparison and with invented runs that have every table.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, test } from "node:test";

import { chartsOf, faintOf, given, openBrowser, openReport, overflowOf, overlapsOf, unreadableOf } from "./browser.mjs";

const widths = [1280, 390];
const everyChart = [
  "overview", "ipc", "perf_per_watt", "perf_per_energy", "l1_latency", "miss_rate", "replication", "s_curve", "slots", "memory", "roofline", "latency_stack", "served_by",
  "links", "bandwidth", "slices", "channels", "energy_over_time", "ipc_over_time", "warps_over_time", "interference_over_time", "interference",
];

let browser, folder, made, real, without;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "wharf_report_"));
  made = join(folder, "made.html");
  without = join(folder, "without.html");
  execFileSync(given("WHARF_FIXTURE"), [made, without]);
  real = join(folder, "compare", "report.html");
  execFileSync(given("WHARF_PROGRAM"), ["compare", "--stimuli", "vectoradd@tiny,gemm@tiny", "--explain", "--quiet", "--out", join(folder, "compare")]);
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function withReport(file, width, look, scheme = "light") {
  const { page, faults } = await openReport(browser, file, width, scheme);
  try {
    await look(page);
    assert.deepEqual(faults, [], "console errors or requests");
    if (process.env.WHARF_SCREENSHOTS) {
      const name = `${basename(file, ".html")}_${width}_${scheme}.png`;
      await page.screenshot({ path: join(process.env.WHARF_SCREENSHOTS, name), fullPage: true });
    }
  } finally {
    await page.close();
  }
}

for (const width of widths) {
  describe(`at ${width} pixels`, () => {
    test("every chart of made-up runs is drawn and nothing in their names is taken for HTML", () => withReport(made, width, async page => {
      const charts = await chartsOf(page);
      assert.deepEqual(charts.map(chart => chart.id).sort(), [...everyChart].sort());
      for (const chart of charts) assert.ok(chart.marks > 10 && chart.texts > 1, `${chart.id} is empty: ${JSON.stringify(chart)}`);
      assert.equal(await page.evaluate(() => window.harmed), undefined);
      assert.equal(await page.locator("img").count(), 0);
      assert.match(await page.locator("h1").textContent(), /<\/script><img src=x/);
    }));

    test("the page is no wider than the window and its texts can be read", () => withReport(made, width, async page => {
      assert.ok(await overflowOf(page) <= 0, "scrolls sideways");
      assert.deepEqual(await unreadableOf(page), []);
      assert.deepEqual(await overlapsOf(page), []);
      assert.deepEqual(await faintOf(page), []);
    }));

    test("on a dark system the page is dark, its texts stand out, and every chart is drawn", () => withReport(made, width, async page => {
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.ok(Math.max(...ground.match(/\d+/g).map(Number)) < 64, ground);
      assert.deepEqual(await faintOf(page), []);
      assert.ok(await overflowOf(page) <= 0, "scrolls sideways");
      for (const chart of await chartsOf(page)) assert.ok(chart.marks > 10 && chart.texts > 1, `${chart.id} is empty`);
    }, "dark"));

    test("every chart of a comparison is drawn, or says why not", () => withReport(real, width, async page => {
      for (const chart of await chartsOf(page)) {
        assert.ok(chart.absent || (chart.marks > 3 && chart.texts > 1), `${chart.id} is empty`);
        if (["slots", "memory", "roofline", "slices", "channels"].includes(chart.id)) assert.equal(chart.absent, null);
      }
      assert.ok(await overflowOf(page) <= 0, "scrolls sideways");
      assert.deepEqual(await unreadableOf(page), []);
    }));
  });
}

test("choices draw the charts of another run, and say what that run has not measured", () => withReport(made, 1280, async page => {
  const textOf = id => page.locator(`[data-chart="${id}"]`).innerText();
  assert.doesNotMatch(await textOf("links"), /inputs/);
  await page.selectOption("#network", { label: "reply" });
  assert.match(await textOf("links"), /inputs/);
  const one = await textOf("latency_stack");
  await page.selectOption("#kernel", { index: 0 });
  assert.notEqual(await textOf("latency_stack"), one, "the mean of all kernels is not that of the first");
  assert.match(await textOf("bandwidth"), /Choose a kernel/);
  assert.match(await textOf("energy_over_time"), /Choose a kernel/);
  assert.match(await textOf("channels"), /Choose a kernel to see each DRAM channel/);
  assert.match(await textOf("interference"), /Choose a kernel/);
  assert.ok(await page.locator("#warps").isVisible());
  await page.selectOption("#group", { index: 1 });
  assert.match(await textOf("slots"), /compare --explain counts them/);
  assert.match(await textOf("memory"), /This run has no table memory_levels/);
  assert.match(await textOf("roofline"), /This run has no table memory_levels/);
  assert.match(await textOf("latency_stack"), /This run has no table latency_stack/);
  assert.match(await textOf("overview"), /private_16x_l1/);
  assert.ok(await page.locator("#warps").isHidden(), "charts of warps where no run measured them");
  await page.selectOption("#group", { index: 2 });
  assert.match(await textOf("s_curve"), /The group has only its baseline/);
}));

test("the memory chart has a run's bytes and hit rates beside the baseline's, and the roofline a place for each level", () =>
  withReport(made, 1280, async page => {
    const texts = await page.locator('[data-chart="memory"]').innerText();
    for (const title of ["SMs", "L1", "L2", "DRAM", "shared memory", "other L1s", "extended LLC"]) assert.ok(texts.includes(title), title);
    assert.match(texts, /20 MB \(20 MB\)\s*links/);  // requests to L2
    assert.match(texts, /5 MB \(5 MB\)\s*read/);
    assert.match(texts, /hit rate [\d.]+ % \([\d.]+ %\)/);
    await page.selectOption("#config", { index: 0 });
    assert.doesNotMatch(await page.locator('[data-chart="memory"]').innerText(), /\(/, "the baseline beside itself");
    const legend = await page.locator('[data-chart="roofline"]').locator("xpath=preceding-sibling::*[1]").innerText();
    assert.match(legend, /L1: 14 TB\/s\s*L2: 700 GB\/s\s*DRAM: 473 GB\/s\s*issue: 100 G instructions\/s/);
    await page.selectOption("#kernel", { index: 0 });
    assert.match(await page.locator('[data-chart="memory"]').innerText(), /Choose a kernel/);
    const marks = (await chartsOf(page)).find(chart => chart.id === "roofline").marks;
    assert.ok(marks >= 3 * 41, `${marks} marks of 41 kernels`);
  }));

test("a bar of the cycle stack says what its slots waited for", () => withReport(made, 1280, async page => {
  const chart = page.locator('[data-chart="slots"]');
  await chart.evaluate(node => node.scrollIntoView());
  const box = await chart.boundingBox();
  await page.mouse.move(box.x + 300, box.y + 36 + 6.5 * 17);  // the first bar of the second kernel; one row in five has its name
  const tip = chart.locator(".tip");
  await tip.waitFor();
  const text = await tip.innerText();
  assert.match(text, /kernel_1@std, remote_sharing\/baseline/);
  assert.match(text, /wait for the network on the way to L2\s*[\d.]+ %/);
  assert.match(text, /time over the baseline's\s*1\.00/);
}));

test("the ten instructions of a run that cost most stand in a table, and a run that has not counted says so", () => withReport(made, 1280, async page => {
  const cells = async () => page.locator("#instructions tr").evaluateAll(rows => rows.map(row => [...row.children].map(cell => cell.textContent)));
  const [titles, ...rows] = await cells();
  assert.deepEqual(titles, ["place", "instruction", "kernel", "slots", "hit rate", "replication", "served by"]);
  assert.equal(rows.length, 10);
  assert.deepEqual(rows[0].slice(0, 4), ["stimuli/kernels/polybench/made_up.cpp:20", "load", "made_up", "30 %"]);
  assert.match(rows[0][6], /dram \d+(\.\d)? %/);
  assert.match(rows[1][2], /<\/script><img src=x/);
  assert.deepEqual(rows[3], ["pc 0x170", "alu", "made_up", "7.5 %", "-", "-", "-"]);
  const before = rows[0][4];
  await page.selectOption("#config", { index: 0 });
  assert.notEqual((await cells())[1][4], before, "the table of another configuration is the same");
  await page.selectOption("#kernel", { index: 0 });
  assert.match(await page.locator("#instructions").innerText(), /Choose a kernel/);
  await page.selectOption("#group", { index: 1 });
  assert.match(await page.locator("#instructions").innerText(), /compare --explain counts them/);
}));

test("the costly instructions of a real run have the lines of its kernel", () => withReport(real, 390, async page => {
  const table = await page.locator("#instructions").innerText();
  assert.match(table, /stimuli\/kernels\/cuda_sdk\/vectoradd\.cpp:\d+\s+load\s+vectoradd/);
  assert.ok(await page.locator("#instructions").evaluate(box => box.scrollWidth > box.clientWidth), "the table does not scroll inside its box");
}));

test("a cell of a heat map says which part was how busy, and when", () => withReport(made, 1280, async page => {
  const chart = page.locator('[data-chart="channels"]');
  await chart.evaluate(node => node.scrollIntoView({ block: "center" }));
  const box = await chart.boundingBox(), cell = [(box.width - 88) / 64, 256 / 32];  // 64 intervals, 32 channels
  await page.mouse.move(box.x + 64 + 10.5 * cell[0], box.y + 40 + 5.5 * cell[1]);
  const tip = chart.locator(".tip");
  await tip.waitFor();
  assert.match(await tip.innerText(), /DRAM channel 5, from cycle 40,000\s*busy\s*8\d\.\d %/);
}));

test("a change of the system's colours draws the charts anew", () => withReport(made, 1280, async page => {
  const fill = () => page.locator('[data-chart="memory"] svg text').first().evaluate(text => getComputedStyle(text).fill);
  const light = await fill();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(before => getComputedStyle(document.querySelector('[data-chart="memory"] svg text')).fill !== before, light);
}));

test("a tooltip shows names and figures as text", () => withReport(made, 1280, async page => {
  const chart = page.locator('[data-chart="ipc"]');
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 3);
  const tip = page.locator('[data-chart="ipc"] .tip');
  await tip.waitFor();
  assert.match(await tip.innerText(), /kernel_\d+@std[^]*<\/script><img src=x[^]*ipc \d/);
  assert.equal(await page.locator("img").count(), 0);
}));

test("power over time stacks the structures that take any, and its tooltip adds them up", () => withReport(made, 1280, async page => {
  const chart = page.locator('[data-chart="energy_over_time"]');
  const legend = await chart.locator("xpath=preceding-sibling::*[1]").innerText();
  assert.match(legend, /noc_dyn/);
  assert.doesNotMatch(legend, /extras/, "all 0 and yet in the legend");
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const tip = page.locator('[data-chart="energy_over_time"] .tip');
  await tip.waitFor();
  const watts = [...(await tip.innerText()).matchAll(/([\d.]+) W/g)].map(match => Number(match[1]));
  const total = watts.pop();
  assert.ok(Math.abs(watts.reduce((sum, value) => sum + value, 0) - total) < 0.1, `${watts} do not make ${total}`);
}));

test("warps over the course of a run stand in their states, and a pair of warps says who interferes with whom", () =>
  withReport(made, 1280, async page => {
    const tipAt = async (id, across, down) => {
      const chart = page.locator(`[data-chart="${id}"]`);
      await chart.scrollIntoViewIfNeeded();
      const box = await chart.boundingBox();
      await page.mouse.move(box.x + across(box), box.y + down(box));
      const tip = chart.locator(".tip");
      await tip.waitFor();
      return tip.innerText();
    };
    const states = await tipAt("warps_over_time", box => box.width / 2, box => box.height / 2);
    assert.match(states, /stalled[^]*isolated[^]*active[^]*total\s*48/);
    // The first pair of the fixture: W3 evicts lines of W0, in the top row.
    const pair = await tipAt("interference", () => 56 + 3.5 * 560 / 48, () => 40 + 0.5 * 560 / 48);
    assert.match(pair, /W3 interferes with W0/);
  }));

test("a click on a name of the legend hides its bars, and another brings them back", () => withReport(made, 1280, async page => {
  const bars = async () => (await chartsOf(page)).find(chart => chart.id === "ipc").marks;
  const all = await bars();
  // The chart is redrawn in its next frame.
  const becomes = async (holds, what) => {
    const end = Date.now() + 10_000;
    while (!holds(await bars())) {
      assert.ok(Date.now() < end, what);
      await page.waitForTimeout(50);
    }
  };
  const button = page.locator("#bars section").first().locator(".legend button").first();
  await button.click();
  await becomes(count => count < all, "none is hidden");
  await button.click();
  await becomes(count => count === all, "not all are back");
}));

for (const width of widths) {
  test(`without the charting library a page of ${width} pixels says how to get it, and shows its tables alone`, () => withReport(without, width, async page => {
    assert.match(await page.locator(".no-charts").innerText(), /This report has no charts.*\.\/wharf setup charts/);
    for (const chart of await page.locator("[data-chart]").all()) assert.ok(await chart.isHidden());
    const headings = await page.locator("h2:visible, h3:visible").allInnerTexts();
    for (const shown of ["One kernel in detail", "Instructions that cost most", "How the configurations differ", "Figures"]) assert.ok(headings.includes(shown), shown);
    for (const hidden of ["Memory chart", "Roofline", "Where the time of a load goes"]) assert.ok(!headings.includes(hidden), hidden);
    assert.equal(await page.locator("#instructions tbody tr").count(), 10);
    assert.ok(await page.locator(".tables table").first().isVisible());
    assert.ok(await overflowOf(page) <= 0, "scrolls sideways");
    assert.deepEqual(await unreadableOf(page), []);
    assert.deepEqual(await faintOf(page), []);
    // Selecting redraws the page, and there is still no chart.
    await page.selectOption("#group", { index: 1 });
    assert.match(await page.locator("#instructions").innerText(), /compare --explain counts them/);
    for (const chart of await page.locator("[data-chart]").all()) assert.ok(await chart.isHidden());
  }));
}

test("a report of the largest suite is a page that can be sent", () => {
  assert.ok(statSync(made).size < 1e7, `${statSync(made).size} bytes`);
});
