// The mutants of a C++ source: one small change each, at every place where an operator of the list below applies.

/// The text with comments, strings and preprocessor lines replaced by spaces, so that positions in both texts are the same.
export function codeOf(text) {
  const blank = (part) => part.replace(/[^\n]/g, " ");
  return text.replace(/\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'|^[ \t]*#[^\n]*|\[\[[^\]\n]*\]\]/gm, blank)
    .replace(/\bstatic_assert\([^;]*;|\btemplate <[^\n]*/g, blank);
}

// Binary operators have spaces around them here, as clang-format writes them. Template brackets, pointers and references do not.
const swaps = [
  ["relation", / (<=|>=|<|>|==|!=) /g, { "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="] }],
  ["arithmetic", / (\+|-|\*|\/|%) /g, { "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["+"] }],
  ["arithmetic", / (\+=|-=) /g, { "+=": ["-="], "-=": ["+="] }],
  ["arithmetic", /(\+\+|--)(?=\w)/g, { "++": ["--"], "--": ["++"] }],
  ["logic", / (&&|\|\|) /g, { "&&": ["||"], "||": ["&&"] }],
  ["logic", / (&|\||<<|>>) /g, { "&": ["|"], "|": ["&"], "<<": [">>"], ">>": ["<<"] }],
  ["logic", / (\|=|&=) /g, { "|=": ["&="], "&=": ["|="] }],
  ["logic", /\b(true|false)\b/g, { true: ["false"], false: ["true"] }],
  ["extreme", /\bstd::(min|max)\b/g, { min: ["max"], max: ["min"] }],
];

/// All mutants of the text, in the order of their positions: {at, length, with, kind}.
export function mutantsOf(text) {
  const code = codeOf(text), mutants = [];
  const add = (kind, at, length, changed) => mutants.push({ kind, at, length, with: changed });
  for (const [kind, pattern, becomes] of swaps)
    for (const match of code.matchAll(pattern)) {
      const at = match.index + match[0].indexOf(match[1]);
      for (const changed of becomes[match[1]]) add(kind, at, match[1].length, changed);
    }
  for (const match of code.matchAll(/(?<![\w.'])(\d+)u?(?![\w.'])/g))
    add("constant", match.index, match[1].length, String(Number(match[1]) + 1));
  for (const match of code.matchAll(/\bif (constexpr )?\(/g)) {
    const open = match.index + match[0].length - 1, close = closing(code, open);
    if (close >= 0) add("negation", open + 1, close - open - 1, `!(${text.slice(open + 1, close)})`);
  }
  for (const match of code.matchAll(/^ +((?!return\b|using\b|const\b|static\b|friend\b|throw\b|break\b|continue\b|public\b)[\w*][^;{}\n]*;)[ ]*$/gm))
    if (/[=(]|\+\+|--/.test(match[1])) add("removal", match.index + match[0].indexOf(match[1]), match[1].length, ";");
  return mutants.sort((a, b) => a.at - b.at || a.length - b.length || (a.with < b.with ? -1 : 1));
}

/// The position of the parenthesis that closes the one at `open`; -1 if there is none.
function closing(code, open) {
  for (let at = open, depth = 0; at < code.length; ++at) {
    if (code[at] === "(") ++depth;
    if (code[at] === ")" && --depth === 0) return at;
  }
  return -1;
}

export const applied = (text, mutant) => text.slice(0, mutant.at) + mutant.with + text.slice(mutant.at + mutant.length);

/// Selects a few of the mutants, the same ones for the same seed.
export function sampled(mutants, count, seed) {
  const order = mutants.slice();
  let state = (seed >>> 0) + 0x9e3779b9;
  for (let left = order.length; left > 1; --left) {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    const other = ((bits ^ (bits >>> 14)) >>> 0) % left;
    [order[left - 1], order[other]] = [order[other], order[left - 1]];
  }
  return order.slice(0, count);
}
