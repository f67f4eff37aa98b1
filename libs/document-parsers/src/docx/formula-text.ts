import type { Attributes } from './read-xml.js';

/** Text before and after parts of a formula (ECMA-376, part 1, 22.1). */
const BEFORE: Readonly<Record<string, string>> = {
  ...{
    'm:num': '(',
    'm:den': '/(',
    'm:sup': '^(',
    'm:sub': '_(',
    'm:lim': '_(',
    'm:rad': '√(',
    'm:deg': '[',
  },
};
const AFTER: Readonly<Record<string, string>> = {
  ...{ 'm:num': ')', 'm:den': ')', 'm:sup': ')', 'm:sub': ')', 'm:lim': ')', 'm:rad': ')', 'm:deg': ']' },
  'm:mr': '; ',
};

/** Formats a formula as one line: `x^2`, `(a+b)/2`, `√(x+1)`. */
export class FormulaText {
  private readonly parts: string[] = [];
  private readonly closing: string[] = [];
  private depth = 0;

  get isOpen(): boolean {
    return this.depth > 0;
  }

  open(name: string, attributes: Attributes): void {
    const value = attributes['m:val'];
    if (name === 'm:oMath') this.depth += 1;
    else if (name === 'm:d') this.openBrackets();
    else if (name === 'm:begChr') this.parts.splice(-1, 1, value ?? '(');
    else if (name === 'm:endChr') this.closing.splice(-1, 1, value ?? ')');
    else if (name === 'm:chr') this.parts.push(value ?? '');
    else if (name in BEFORE) this.parts.push(BEFORE[name] ?? '');
  }

  add(text: string): void {
    this.parts.push(text);
  }

  /** Returns the formula at its end, null before. */
  close(name: string): string | null {
    if (name === 'm:d') this.parts.push(this.closing.pop() ?? ')');
    else if (name in AFTER) this.parts.push(AFTER[name] ?? '');
    if (name !== 'm:oMath') return null;
    this.depth -= 1;
    return this.depth > 0 ? null : plain(this.parts.splice(0).join(''));
  }

  private openBrackets(): void {
    this.parts.push('(');
    this.closing.push(')');
  }
}

/** Removes empty brackets, and brackets around a single character beside an operator. */
function plain(formula: string): string {
  return formula.replace(/[\^_]\(\)|\[\]/g, '').replace(/(?<=[\^_/√])\((.)\)|\((.)\)(?=\/)/gu, '$1$2');
}
