import { tokenizer, tokTypes, type Token } from 'acorn';

const NAME = '__name';
/** What esbuild writes behind a function that is declared. */
const NAMED_FUNCTION = /^ *__name\((?!this,)[\w$]+, "[\w$]+"\);\n/gm;

/**
 * The text of a bundle that esbuild made with `keepNames`, in which only classes are still named anew: programs read the
 * names of those. A function within a function would get its name each time that it is made, which costs a run more than
 * anything it says: it goes by the name that it has in the bundle, where a number may follow what its author called it.
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

/** Of each `__name(<function>, "name")` the parts that are not `(<function>)`, in their order. */
function findNaming(text: string): Range[] {
  const isNaming = (token: Token | null): token is Token =>
    token?.type === tokTypes.name && text.slice(token.start, token.end) === NAME;
  const ranges: Range[] = [];
  // Of each bracket that is open: where its `__name` begins, if that is what stands before it.
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
