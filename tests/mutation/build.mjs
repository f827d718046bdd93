// Builds a test with a mutant in it. Objects that the mutant does not affect come from the preset `separate`. The tree is never written: the
// changed file is in a folder that the compiler searches first.

import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

const libraries = ["-lyaml-cpp", "-lfmt", "-lboost_context", "-lz", "-llzma", "-lzstd"];
const flags = ["-std=c++17", "-O1", "-w"];
const testMain = "tests/test_main.cpp";
const compileSeconds = 300;

/// Runs a program: {ok, late, text}. Never throws.
const run = (program, args, seconds) =>
  new Promise((done) => execFile(program, args, { timeout: Math.ceil(seconds * 1000), killSignal: "SIGKILL", maxBuffer: 1 << 28 }, (error, out, err) =>
    done({ ok: !error, late: Boolean(error?.killed) || error?.signal === "SIGXCPU", text: out + err })));

/// Runs a test program with a limit of `seconds` of processor time, which other work does not shorten, and of 4 GiB of memory, because a
/// mutant may allocate without end.
const runTest = (program, seconds) =>
  run("prlimit", ["--as=4294967296", "--core=0", `--cpu=${Math.ceil(seconds)}:`, program, "--abort"], 60 + 30 * seconds);

export class Builder {
  /// `folder` receives the outputs.
  constructor(root, folder) {
    this.root = root;
    this.folder = folder;
    this.built = join(root, "build/separate");
    this.depends = new Map();
    this.seconds = new Map();
  }

  /// The built object, relative to its folder.
  object(source) {
    const [room, ...path] = source.split("/");
    if (room !== "tests") return `CMakeFiles/wharf_pure.dir/${source}.o`;
    const program = path[0] === "contract" ? "contract" : "unit";
    return `tests/CMakeFiles/${program}_tests.dir/${path.join("/")}.o`;
  }

  /// Brings the objects of a group up to date, and precompiles Catch2's header.
  prepare(group) {
    const objects = [...group.sources, ...group.tests, testMain].map((source) => this.object(source));
    execFileSync("ninja", ["-C", this.built, ...objects, "libwharf_pure.a"], { stdio: ["ignore", "ignore", "inherit"] });
    const header = join(this.folder, "headers/catch2/catch.hpp");
    if (existsSync(`${header}.gch`)) return;
    mkdirSync(dirname(header), { recursive: true });
    writeFileSync(header, "#include_next <catch2/catch.hpp>\n");
    execFileSync("g++", [...flags, "-x", "c++-header", "/usr/include/catch2/catch.hpp", "-o", `${header}.gch`]);
  }

  /// True if the source is the file or includes it.
  includes(source, file) {
    if (source === file) return true;
    if (!this.depends.has(source)) {
      const listed = execFileSync("ninja", ["-C", this.built, "-t", "deps", this.object(source)], { encoding: "utf8" });
      this.depends.set(source, new Set(listed.split("\n").slice(1).map((line) => resolve(this.built, line.trim()))));
    }
    return this.depends.get(source).has(join(this.root, file));
  }

  /// The tests that can detect a change of the file; those named after it come first.
  testsOf(group, file) {
    const linked = group.sources.some((source) => this.includes(source, file));
    const stem = basename(file).replace(/(_logic)?\.\w+$/, "");
    const tests = group.tests.filter((test) => linked || this.includes(test, file));
    return [...tests.filter((test) => test.includes(stem)), ...tests.filter((test) => !test.includes(stem))];
  }

  link(objects, program) {
    return run("g++", ["-o", program, ...objects, join(this.built, this.object(testMain)), join(this.built, "libwharf_pure.a"), ...libraries], compileSeconds);
  }

  /// The time of the unchanged test. Throws if it fails.
  async secondsOf(test, at) {
    if (!this.seconds.has(test)) {
      const program = join(at, "unchanged");
      await this.link([join(this.built, this.object(test))], program);
      const started = Date.now(), answer = await runTest(program, 600);
      if (!answer.ok) throw new Error(`${test} fails before anything is changed\n${answer.text}`);
      this.seconds.set(test, (Date.now() - started) / 1000);
    }
    return this.seconds.get(test);
  }

  /// The outcome with `text` as the contents of the file: killed, late (a test took more than three times as long as it should, plus two
  /// seconds), survived, or not_compiled. `at` is a folder for this mutant alone.
  async outcomeOf(group, file, text, at) {
    const overlay = join(at, "overlay");
    rmSync(at, { recursive: true, force: true });
    mkdirSync(dirname(join(overlay, file)), { recursive: true });
    writeFileSync(join(overlay, file), text);

    const build = async (source) => {
      if (!this.includes(source, file)) return join(this.built, this.object(source));
      const object = join(at, `${source.replaceAll("/", "_")}.o`);
      const tested = source.startsWith("tests/") ? ["-I", join(this.folder, "headers"), "-include", "catch2/catch.hpp"] : [];
      const path = source === file ? join(overlay, source) : join(this.root, source);
      return (await run("g++", [...flags, ...tested, "-I", overlay, "-I", this.root, "-c", path, "-o", object], compileSeconds)).ok ? object : null;
    };
    const sources = [];
    for (const source of group.sources.filter((one) => this.includes(one, file))) {
      const object = await build(source);
      if (object === null) return { outcome: "not_compiled" };
      sources.push(object);  // before the library, which has the unchanged object
    }
    for (const test of this.testsOf(group, file)) {
      const object = await build(test), program = join(at, "test");
      if (object === null || !(await this.link([object, ...sources], program)).ok) return { outcome: "not_compiled" };
      const answer = await runTest(program, 2 + 3 * (await this.secondsOf(test, at)));
      if (!answer.ok) return { outcome: answer.late ? "late" : "killed", test };
    }
    rmSync(at, { recursive: true, force: true });
    return { outcome: "survived" };
  }
}
