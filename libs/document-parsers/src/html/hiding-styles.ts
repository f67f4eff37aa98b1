import type { Attributes } from './visibility.js';

/** A simple selector, such as `p.note`, `#menu` or `.note`, with its declarations that affect visibility. */
interface Rule {
  readonly tag: string;
  readonly id: string;
  readonly classes: readonly string[];
  readonly declarations: string;
  /** Specificity of the selector; the last of equal ones applies. */
  readonly weight: number;
}

/** Maximum characters of styles. Longer ones are frameworks and ignored, so that text is rather read than lost. */
const MAX_STYLE_CHARS = 1_000_000;
const MAX_RULES = 2_000;
/** Maximum rules per class, id or tag, which bounds the cost per element. */
const MAX_RULES_OF_KEY = 20;
const DECIDING = /(?<![\w-])(?:display|visibility|opacity|font-size|content-visibility)\s*:[^;]{0,40}/gi;
const MAX_DECIDING = 10;
const SIMPLE = /^([a-z][a-z0-9-]*|\*)?((?:[.#][\w-]+)*)$/i;

/** Style elements of a page, as far as they hide elements: simple selectors outside of `@` rules. */
export class HidingStyles {
  private readonly byKey = new Map<string, Rule[]>();

  private constructor(rules: readonly Rule[]) {
    for (const rule of rules) {
      const key =
        rule.id !== '' ? `#${rule.id}` : rule.classes[0] === undefined ? rule.tag : `.${rule.classes[0]}`;
      const under = this.byKey.get(key);
      if (under === undefined) this.byKey.set(key, [rule]);
      else if (under.length < MAX_RULES_OF_KEY) under.push(rule);
    }
  }

  static of(page: string): HidingStyles {
    const css = styleElementsOf(page);
    return new HidingStyles(css.length > MAX_STYLE_CHARS ? [] : rulesOf(css));
  }

  /** Declarations for an element, ordered by ascending precedence. */
  declarationsFor(tag: string, attributes: Attributes): string {
    if (this.byKey.size === 0) return '';
    const classes = new Set((attributes['class'] ?? '').split(/\s+/).filter((name) => name !== ''));
    const id = attributes['id'] ?? '';
    const keys = ['*', tag, ...[...classes].map((name) => `.${name}`), ...(id === '' ? [] : [`#${id}`])];
    const matching = keys
      .flatMap((key) => this.byKey.get(key) ?? [])
      .filter((rule) => (rule.tag === '*' || rule.tag === tag) && (rule.id === '' || rule.id === id))
      .filter((rule) => rule.classes.every((name) => classes.has(name)));
    return matching
      .toSorted((a, b) => a.weight - b.weight)
      .map(({ declarations }) => declarations)
      .join(';');
  }
}

/** Text of all `style` elements. */
function styleElementsOf(page: string): string {
  const lower = page.toLowerCase();
  const texts: string[] = [];
  for (let from = lower.indexOf('<style'); from >= 0;) {
    const begin = lower.indexOf('>', from);
    const end = lower.indexOf('</style', begin);
    if (begin < 0 || end < 0) break;
    texts.push(page.slice(begin + 1, end));
    from = lower.indexOf('<style', end);
  }
  return texts.join('\n');
}

function rulesOf(css: string): readonly Rule[] {
  const rules: Rule[] = [];
  for (const { selectors, declarations } of blocksOf(css.replace(/\/\*[^]*?(?:\*\/|$)/g, ''))) {
    const deciding = declarations.match(DECIDING)?.slice(-MAX_DECIDING).join(';') ?? '';
    if (deciding === '') continue;
    for (const selector of selectors.split(',')) {
      if (rules.length >= MAX_RULES) return rules;
      const rule = ruleOf(selector.trim(), deciding, rules.length);
      if (rule !== null) rules.push(rule);
    }
  }
  return rules;
}

/** Null for selectors that depend on other elements. */
function ruleOf(selector: string, declarations: string, order: number): Rule | null {
  const [whole, tag, rest = ''] = SIMPLE.exec(selector) ?? [];
  if (whole === undefined || whole === '') return null;
  const names = rest.match(/[.#][\w-]+/g) ?? [];
  const classes = names.filter((name) => name.startsWith('.')).map((name) => name.slice(1));
  const id = names.find((name) => name.startsWith('#'))?.slice(1) ?? '';
  const hasTag = tag !== undefined && tag !== '*';
  const specific = (id === '' ? 0 : 10_000) + classes.length * 100 + (hasTag ? 1 : 0);
  return { tag: tag?.toLowerCase() ?? '*', id, classes, declarations, weight: specific * MAX_RULES + order };
}

/** Top-level blocks, without `@` rules, which are conditional. */
function* blocksOf(css: string): Generator<{ readonly selectors: string; readonly declarations: string }> {
  let from = 0;
  while (from < css.length) {
    const open = css.indexOf('{', from);
    if (open < 0) return;
    const selectors = css
      .slice(from, open)
      .replace(/^[^]*;/, '')
      .trim();
    const close = closing(css, open);
    if (!selectors.startsWith('@')) yield { selectors, declarations: css.slice(open + 1, close) };
    from = close + 1;
  }
}

/** End of the block that begins at `open`. */
function closing(css: string, open: number): number {
  let depth = 0;
  for (let at = open; at < css.length; at += 1) {
    if (css[at] === '{') depth += 1;
    if (css[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return css.length;
}
