// Mutation testing of the pure logic: changes one operator at a time, builds the unit tests that cover the file, and reports the changes
// that no test detected.
//
//   mutate.mjs ROOT [--sample N] [--seed S] [--jobs N] [--again] [--report] [FILE...]
//
// It continues where it was stopped: build/mutation/results.jsonl has an outcome for each mutant, valid as long as its file does not
// change. `--again` repeats the mutants that survived; `--report` only prints the known outcomes.

import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { Builder } from "./build.mjs";
import { groupsOf } from "./covered.mjs";
import { applied, mutantsOf, sampled } from "./mutants.mjs";

function refuse(message) {
  process.stderr.write(`wharf: test --mutate: ${message}\n`);
  process.exit(2);
}

function commandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        sample: { type: "string" }, seed: { type: "string", default: "1" }, jobs: { type: "string", default: "1" },
        again: { type: "boolean" }, report: { type: "boolean" },
      },
    });
  } catch (error) {
    return refuse(`${error.message.split(".")[0]}; options are --sample N, --seed S, --jobs N, --again, --report`);
  }
}
function number(name, least) {
  const text = given[name];
  if (!/^\d+$/.test(text) || Number(text) < least || Number(text) > 2 ** 31) refuse(`--${name} ${text}: give a whole number of ${least} or more`);
  return Number(text);
}

const { values: given, positionals: [root, ...wanted] } = commandLine();
const folder = join(root, "build/mutation"), resultsFile = join(folder, "results.jsonl");
const lineOf = (text, at) => text.slice(0, at).split("\n").length;
const hashOf = (text) => createHash("sha1").update(text).digest("hex").slice(0, 12);

/// All mutants of the wanted files, or a sample of them.
function chooseMutants() {
  const files = new Map();
  for (const group of groupsOf(root)) for (const file of group.mutated) files.set(file, group);
  for (const file of wanted)
    if (!files.has(file)) refuse(`no tests are named for ${file} in tests/mutation/covered.mjs, which has\n  ${[...files.keys()].join("\n  ")}`);
  const all = [];
  for (const [file, group] of files) {
    if (wanted.length > 0 && !wanted.includes(file)) continue;
    const text = readFileSync(join(root, file), "utf8"), hash = hashOf(text);
    for (const mutant of mutantsOf(text)) all.push({ ...mutant, file, group, text, hash, key: `${file}:${hash}:${mutant.at}:${mutant.length}:${mutant.with}` });
  }
  return { all, chosen: given.sample === undefined ? all : sampled(all, number("sample", 1), number("seed", 0)) };
}

/// The last outcome of each mutant, by key; a truncated line is ignored.
function knownOutcomes() {
  const outcomes = new Map();
  if (!existsSync(resultsFile)) return outcomes;
  for (const line of readFileSync(resultsFile, "utf8").split("\n"))
    if (line.endsWith("}")) {
      const result = JSON.parse(line);
      outcomes.set(result.key, result);
    }
  return outcomes;
}

async function runMutants(open, outcomes) {
  mkdirSync(folder, { recursive: true });
  const builder = new Builder(root, folder);
  for (const group of new Set(open.map((mutant) => mutant.group))) builder.prepare(group);
  const left = open.slice();
  let done = 0;
  const work = async (worker) => {
    for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
      const { outcome, test } = await builder.outcomeOf(mutant.group, mutant.file, applied(mutant.text, mutant), join(folder, `mutant${worker}`));
      const result = {
        key: mutant.key, file: mutant.file, line: lineOf(mutant.text, mutant.at), kind: mutant.kind,
        before: mutant.text.slice(mutant.at, mutant.at + mutant.length), after: mutant.with, outcome, test,
      };
      outcomes.set(mutant.key, result);
      appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
      const state = `${++done} of ${open.length} mutants, ${result.file}:${result.line} ${outcome}`;
      process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${state}` : `${state}\n`);
    }
  };
  await Promise.all(Array.from({ length: number("jobs", 1) }, (_, worker) => work(worker)));
  if (process.stderr.isTTY) process.stderr.write("\n");
}

function report(results) {
  const survivors = results.filter((one) => one.outcome === "survived").sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  for (const one of survivors) console.log(`survived: ${one.file}:${one.line}: ${one.kind}: ${one.before} -> ${one.after}`);
  console.log("\n| file | mutants | killed | too long | survived | kill rate | not compiled |\n|---|---|---|---|---|---|---|");
  const row = (name, of) => {
    const count = (outcome) => of.filter((result) => result.outcome === outcome).length;
    const caught = count("killed") + count("late"), ran = caught + count("survived");
    const rate = ran === 0 ? "" : `${((100 * caught) / ran).toFixed(0)} %`;
    console.log(`| ${name} | ${ran} | ${count("killed")} | ${count("late")} | ${count("survived")} | ${rate} | ${count("not_compiled")} |`);
  };
  for (const file of [...new Set(results.map((result) => result.file))].sort()) row(`\`${file}\``, results.filter((result) => result.file === file));
  row("all", results);
}

const { all, chosen } = chooseMutants();
const outcomes = knownOutcomes();
const open = given.report ? [] : chosen.filter((mutant) => !outcomes.has(mutant.key) || (given.again && outcomes.get(mutant.key).outcome === "survived"));
if (open.length > 0) await runMutants(open, outcomes).catch((error) => refuse(error.message));
console.log(`${chosen.length} of ${all.length} mutants`);
report(chosen.map((mutant) => outcomes.get(mutant.key)).filter(Boolean));
