// Checks the mutants of a text, and that every mutated file has tests.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { groupsOf } from "./covered.mjs";
import { applied, mutantsOf, sampled } from "./mutants.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
/// The texts after each change of one kind.
const changed = (text, kind) => mutantsOf(text).filter((mutant) => mutant.kind === kind).map((mutant) => applied(text, mutant));

test("each operator of an expression is changed on its own", () => {
  assert.deepEqual(changed("a < b;", "relation"), ["a <= b;", "a >= b;"]);
  assert.deepEqual(changed("a == b && c != d;", "relation"), ["a != b && c != d;", "a == b && c == d;"]);
  assert.deepEqual(changed("a == b && c;", "logic"), ["a == b || c;"]);
  assert.deepEqual(changed("a + b * c - d;", "arithmetic"), ["a - b * c - d;", "a + b + c - d;", "a + b * c + d;"]);
  assert.deepEqual(changed("++a; b -= c;", "arithmetic"), ["--a; b -= c;", "++a; b += c;"]);
  assert.deepEqual(changed("x |= y >> z;", "logic"), ["x &= y >> z;", "x |= y << z;"]);
  assert.deepEqual(changed("std::max(a, b)", "extreme"), ["std::min(a, b)"]);
  assert.deepEqual(changed("bool a = true;", "logic"), ["bool a = false;"]);
});

test("a constant is one more, a condition is negated whole, a statement is left out", () => {
  assert.deepEqual(changed("a[0] = 15u;", "constant"), ["a[1] = 15u;", "a[0] = 16u;"]);
  assert.deepEqual(changed("if (f(a) && b) return;", "negation"), ["if (!(f(a) && b)) return;"]);
  assert.deepEqual(changed("  a.clear();\n  return f(x);\n  b = c;\n", "removal"), ["  ;\n  return f(x);\n  b = c;\n", "  a.clear();\n  return f(x);\n  ;\n"]);
});

test("comments, texts, preprocessor lines, template brackets, pointers and names with digits are left alone", () => {
  for (const text of ["// a < b, 1", '"a < b, 1"', "#define A 1", "std::vector<Line> lines;", "Line* line = &other;", "x86_64", "1.5", "/* 1\n2 */", "template <int A = 1>"])
    assert.deepEqual(mutantsOf(text), [], text);
});

test("a sample is the same for the same seed, another for another, and a part of the larger one", () => {
  const mutants = mutantsOf("a + b + c + d + e + f + g + h;");
  assert.equal(mutants.length, 7);
  assert.deepEqual(sampled(mutants, 3, 1), sampled(mutants, 3, 1));
  assert.deepEqual(sampled(mutants, 7, 1).slice(0, 3), sampled(mutants, 3, 1));
  assert.notDeepEqual(sampled(mutants, 7, 1), sampled(mutants, 7, 2));
  assert.equal(new Set(sampled(mutants, 9, 5)).size, 7);
});

test("every file that is changed, and every test that answers for it, exists", () => {
  const groups = groupsOf(root);
  for (const group of groups) {
    assert.ok(group.tests.length > 0 && group.mutated.length > 0, group.name);
    for (const file of [...group.mutated, ...group.sources, ...group.tests]) assert.ok(existsSync(join(root, file)), file);
    for (const file of group.mutated.filter((name) => name.endsWith(".cpp"))) assert.ok(group.sources.includes(file), file);
  }
  const files = groups.flatMap((group) => group.mutated);
  assert.equal(new Set(files).size, files.length);
});
