// Opens a report in headless Chromium, without a network, and inspects it as a reader sees it.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/// An environment variable that CMake sets.
export function given(name) {
  if (!process.env[name]) throw new Error(`${name} is not set; run this through ctest`);
  return process.env[name];
}

const { chromium } = createRequire(given("WHARF_NPM_FOLDER") + "/")("playwright-core");

export function openBrowser() {
  return chromium.launch({
    executablePath: given("WHARF_CHROMIUM"),
    chromiumSandbox: false,
    args: [
      "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/// Opens the page in a window of that width on a light or dark system. Collects all errors on the page.
export async function openReport(browser, file, width, colorScheme = "light") {
  const page = await browser.newPage({ viewport: { width, height: 900 }, offline: true, colorScheme });
  const faults = [];
  page.on("console", message => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  page.on("pageerror", error => faults.push(String(error)));
  page.on("request", request => !/^(file|data):/.test(request.url()) && faults.push("asks for " + request.url()));
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("html[data-drawn]", { timeout: 20000 });
  return { page, faults };
}

/// The contents of each chart's place: drawn marks and texts, or the text that replaces the chart.
export const chartsOf = page => page.evaluate(() => [...document.querySelectorAll("[data-chart]")].map(box => ({
  id: box.dataset.chart,
  absent: box.classList.contains("absent") ? box.textContent : null,
  marks: [...box.querySelectorAll("svg path, svg rect, svg polyline, svg circle")].filter(mark => {
    const { width, height } = mark.getBoundingClientRect();
    return width + height > 1 && mark.getAttribute("fill") !== "transparent";
  }).length,
  texts: box.querySelectorAll("svg text").length,
})));

/// Texts that are unreadable at this width: too small, or cut off at the side of the page.
export const unreadableOf = page => page.evaluate(() => {
  const wide = document.documentElement.clientWidth, found = [];
  const scrolls = node => Boolean(node.closest(".scroll"));
  for (const node of document.querySelectorAll("h1, h2, h3, p, label, select, button, summary, th, td, svg text, .absent")) {
    const box = node.getBoundingClientRect(), size = parseFloat(getComputedStyle(node).fontSize);
    if (box.width === 0 || scrolls(node)) continue;
    if (size < 11) found.push(`${node.textContent.slice(0, 40)}: ${size} px`);
    if (box.left < -1 || box.right > wide + 1) found.push(`${node.textContent.slice(0, 40)}: from ${box.left} to ${box.right} of ${wide}`);
  }
  return found;
});

/// Texts with too little contrast to the page: below 4.5 to 1, which WCAG 2 requires for small texts. Texts on bars are skipped, because
/// their background differs.
export const faintOf = page => page.evaluate(() => {
  const numbers = colour => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = colour => numbers(colour).slice(0, 3).map(value => value / 255)
    .map(value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = luminance(getComputedStyle(document.body).backgroundColor), found = [];
  for (const node of document.querySelectorAll("h1, h2, h3, p, label, select, button, summary, th, td, svg text, .absent")) {
    if (node.getBoundingClientRect().width === 0 || !node.textContent.trim()) continue;
    const style = getComputedStyle(node), own = luminance(node.tagName === "text" ? style.fill : style.color);
    const contrast = (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05);
    if (contrast < 4.5) found.push(`${node.textContent.slice(0, 40)}: ${contrast.toFixed(1)} to 1`);
  }
  return found;
});

/// Pairs of overlapping labels of one chart.
export const overlapsOf = page => page.evaluate(() => [...document.querySelectorAll("[data-chart]")].flatMap(chart => {
  const slanted = text => /rotate|matrix/.test(text.getAttribute("transform") ?? "");
  const texts = [...chart.querySelectorAll("svg text")].filter(text => text.textContent.trim() && !slanted(text));
  const boxes = texts.map(text => text.getBoundingClientRect());
  const found = [];
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, j) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left), down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 2 && down > 4) found.push(`${chart.dataset.chart}: ${texts[i].textContent} on ${texts[i + 1 + j].textContent}`);
  }));
  return found;
}));

export const overflowOf = page => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
