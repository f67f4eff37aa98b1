const OPENING = '<think>';
const CLOSING = '</think>';

/**
 * Where the stripping of one text stands. Holds no hidden text, and of visible text only what may still turn out to be
 * a tag.
 */
export interface StripState {
  readonly blocks: { readonly pending: string; readonly isInside: boolean };
  readonly cut: { readonly pending: string; readonly isDone: boolean };
  readonly strays: { readonly pending: string };
  /** White space before the first visible character; null once there was one. */
  readonly blank: string | null;
}

/** After a piece of text: how to go on, and what of the text is visible by now. */
export interface Stripped {
  readonly state: StripState;
  readonly visible: string;
}

export const STRIP_START: StripState = {
  blocks: { pending: '', isInside: false },
  cut: { pending: '', isDone: false },
  strays: { pending: '' },
  blank: '',
};

/**
 * Takes the next piece of a text. The rule has three steps (3.C-7), each of which reads what the one before it let through:
 * blocks from `<think>` to the next `</think>` are removed, the rest is cut off at a `<think>` that is left over, and each
 * `</think>` that is left over is removed. Tags are found in any case and across pieces.
 */
export function stripNext(state: StripState, piece: string): Stripped {
  return run(state, piece, false);
}

/** The text is over: what was held back is visible, unless it stands in a block that was never closed. */
export function stripEnd(state: StripState): string {
  return run(state, '', true).visible;
}

function run(state: StripState, piece: string, isEnd: boolean): Stripped {
  const blocks = removeBlocks(state.blocks, piece, isEnd);
  const cut = cutOff(state.cut, blocks.visible, isEnd);
  const strays = removeStrays(state.strays, cut.visible, isEnd);
  const lead = holdBlank(state.blank, strays.visible);
  return {
    state: { blocks: blocks.state, cut: cut.state, strays: strays.state, blank: lead.state },
    visible: lead.visible,
  };
}

interface Step<State> {
  readonly state: State;
  readonly visible: string;
}

function removeBlocks(
  state: StripState['blocks'],
  piece: string,
  isEnd: boolean,
): Step<StripState['blocks']> {
  const text = state.pending + piece;
  let { isInside } = state;
  let visible = '';
  let from = 0;
  for (;;) {
    const tag = isInside ? CLOSING : OPENING;
    const at = indexOfTag(text, tag, from);
    const end = at === -1 ? text.length - heldBack(text, tag, from, isEnd) : at;
    if (!isInside) visible += text.slice(from, end);
    if (at === -1) return { state: { pending: text.slice(end), isInside }, visible };
    from = at + tag.length;
    isInside = !isInside;
  }
}

/** A tag that the first step let through was put together by it: what follows it was never closed. */
function cutOff(state: StripState['cut'], piece: string, isEnd: boolean): Step<StripState['cut']> {
  if (state.isDone) return { state, visible: '' };
  const text = state.pending + piece;
  const at = indexOfTag(text, OPENING, 0);
  if (at !== -1) return { state: { pending: '', isDone: true }, visible: text.slice(0, at) };
  const end = text.length - heldBack(text, OPENING, 0, isEnd);
  return { state: { pending: text.slice(end), isDone: false }, visible: text.slice(0, end) };
}

function removeStrays(
  state: StripState['strays'],
  piece: string,
  isEnd: boolean,
): Step<StripState['strays']> {
  const text = state.pending + piece;
  let visible = '';
  let from = 0;
  for (let at = indexOfTag(text, CLOSING, 0); at !== -1; at = indexOfTag(text, CLOSING, from)) {
    visible += text.slice(from, at);
    from = at + CLOSING.length;
  }
  const end = text.length - heldBack(text, CLOSING, from, isEnd);
  return { state: { pending: text.slice(end) }, visible: visible + text.slice(from, end) };
}

/** Text that is nothing but white space is no text; before the first character of any other it stays (3.C-7). */
function holdBlank(blank: string | null, piece: string): Step<string | null> {
  if (blank === null) return { state: null, visible: piece };
  if (/\S/.test(piece)) return { state: null, visible: blank + piece };
  return { state: blank + piece, visible: '' };
}

/** A tag is found by its letters in either case, as those of ASCII are. */
function indexOfTag(text: string, tag: string, from: number): number {
  const pattern = tag === OPENING ? /<think>/gi : /<\/think>/gi;
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

/** How many characters at the end, not before `from`, may be the beginning of `tag`. */
function heldBack(text: string, tag: string, from: number, isEnd: boolean): number {
  if (isEnd) return 0;
  const end = text.slice(Math.max(from, text.length - tag.length + 1)).toLowerCase();
  for (let length = end.length; length > 0; length--) {
    if (tag.startsWith(end.slice(-length))) return length;
  }
  return 0;
}
