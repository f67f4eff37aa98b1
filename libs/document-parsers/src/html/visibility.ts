/** Elements that are invisible or no part of the text. */
const UNREAD = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'head', 'nav', 'noframes'],
  ...['select', 'button', 'textarea', 'datalist', 'canvas', 'audio', 'video', 'annotation', 'annotation-xml'],
]);

/** Hiding these is ignored: such a page becomes visible by its scripts. */
const WHOLE_PAGE = new Set(['html', 'body']);

export type Attributes = Readonly<Record<string, string>>;

interface Shown {
  /** The element and everything inside is hidden. */
  readonly isGone: boolean;
  /** The element is invisible, but nested elements may be visible. */
  readonly isInvisible: boolean;
}

/** Determines visibility element by element, from attributes and the page's own styles. */
export class Visibility {
  private readonly open: Shown[] = [];

  get isSeen(): boolean {
    const now = this.open.at(-1);
    return now === undefined || !(now.isGone || now.isInvisible);
  }

  /** @param styles CSS declarations for the element, overridden by its own */
  enter(tag: string, attributes: Attributes, styles = ''): void {
    const outer = this.open.at(-1);
    const style = styleOf(`${styles};${attributes['style'] ?? ''}`);
    if (WHOLE_PAGE.has(tag)) {
      this.open.push({ isGone: false, isInvisible: false });
      return;
    }
    const isGone =
      outer?.isGone === true || UNREAD.has(tag) || isLeftOut(tag, attributes, style) || isTransparent(style);
    this.open.push({ isGone, isInvisible: invisibilityOf(style) ?? outer?.isInvisible ?? false });
  }

  leave(): void {
    this.open.pop();
  }
}

type Style = ReadonlyMap<string, string>;

function isLeftOut(tag: string, attributes: Attributes, style: Style): boolean {
  const display = style.get('display');
  if (display !== undefined && display !== 'inherit') return display === 'none';
  if ('hidden' in attributes) return true;
  return tag === 'dialog' && !('open' in attributes);
}

function isTransparent(style: Style): boolean {
  return (
    /^0*\.?0+%?$/.test(style.get('opacity') ?? '') ||
    /^0*\.?0+(?:[a-z]+|%)?$/.test(style.get('font-size') ?? '') ||
    style.get('content-visibility') === 'hidden'
  );
}

/** Null if the element does not set visibility. */
function invisibilityOf(style: Style): boolean | null {
  const visibility = style.get('visibility');
  if (visibility === 'hidden' || visibility === 'collapse') return true;
  return visibility === 'visible' ? false : null;
}

/** The last declaration of a property applies, unless an earlier one is `!important`. */
function styleOf(text: string): Style {
  const style = new Map<string, string>();
  const important = new Set<string>();
  for (const declaration of text.replace(/\/\*[^]*?(?:\*\/|$)/g, '').split(';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const name = declaration.slice(0, colon).trim().toLowerCase();
    const [value = '', weight] = declaration
      .slice(colon + 1)
      .toLowerCase()
      .split('!');
    if (important.has(name) && weight === undefined) continue;
    if (weight?.trim() === 'important') important.add(name);
    style.set(name, value.trim());
  }
  return style;
}
