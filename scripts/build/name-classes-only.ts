import { tokenizer, tokTypes, type Token } from 'acorn';

const NAME = '__name';
/** Statement that esbuild writes after a function declaration. */
const NAMED_FUNCTION = /^ *__name\((?!this,)[\w$]+, "[\w$]+"\);\n/gm;

/**
 * Removes esbuild's `keepNames` calls except those for classes, as programs read class names. An inner function would be
 * named at each creation, which slows runs measurably; it keeps its bundle name, possibly with a number appended.
 */
export function nameClassesOnly(text: string): string {
  const declared = text.replaceAll(NAMED_FUNCTION, '');
  let rest = 0;
  let result = '';
  for (const { from, to } of findNaming(declared)) {
    result += declared.slice(rest, from);
    rest = to;
  }
  return result + declared.slice(rest);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Ranges around `(<function>)` in each `__name(<function>, "name")`, in order. */
function findNaming(text: string): Range[] {
  const isNaming = (token: Token | null): token is Token =>
    token?.type === tokTypes.name && text.slice(token.start, token.end) === NAME;
  const ranges: Range[] = [];
  // For each open bracket, the start of the `__name` before it, or null.
  const opened: (number | null)[] = [];
  let second: Token | null = null;
  let last: Token | null = null;
  for (const token of tokenizer(text, { ecmaVersion: 'latest', sourceType: 'module' })) {
    if (token.type === tokTypes.parenL) opened.push(isNaming(last) ? last.start : null);
    else if (token.type === tokTypes._this && isNaming(second)) opened[opened.length - 1] = null;
    else if (token.type === tokTypes.parenR) {
      const start = opened.pop() ?? null;
      if (start !== null && second?.type === tokTypes.comma && last?.type === tokTypes.string) {
        ranges.push({ from: start, to: start + NAME.length }, { from: second.start, to: token.start });
      }
    }
    [second, last] = [last, token];
  }
  return ranges.toSorted((a, b) => a.from - b.from);
}
