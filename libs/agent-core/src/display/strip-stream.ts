const OPENING = '<think>';
const CLOSING = '</think>';

/** State of stripping one text. It holds no hidden text, and visible text only while it may turn out to be a tag. */
export interface StripState {
  readonly blocks: { readonly pending: string; readonly isInside: boolean };
  readonly cut: { readonly pending: string; readonly isDone: boolean };
  readonly strays: { readonly pending: string };
  /** Leading white space; null after the first visible character. */
  readonly blank: string | null;
}

/** The state after a chunk, and the text that is visible by now. */
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
 * Strips the next chunk of a text in three steps (3.C-7), each of which reads the output of the previous one: remove
 * blocks from `<think>` to the next `</think>`, cut off the rest at a remaining `<think>`, remove each remaining
 * `</think>`. Tags match in any case and across chunks.
 */
export function stripNext(state: StripState, piece: string): Stripped {
  return run(state, piece, false);
}

/** Ends the text: returns the held-back characters, unless they stand in an unclosed block. */
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

/** Cuts the text at a `<think>` that only the removal of blocks has assembled: it has no closing tag. */
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

/** Holds leading white space back until other text follows; a text of white space only is empty (3.C-7). */
function holdBlank(blank: string | null, piece: string): Step<string | null> {
  if (blank === null) return { state: null, visible: piece };
  if (/\S/.test(piece)) return { state: null, visible: blank + piece };
  return { state: blank + piece, visible: '' };
}

/** Finds a tag in any ASCII case. */
function indexOfTag(text: string, tag: string, from: number): number {
  const pattern = tag === OPENING ? /<think>/gi : /<\/think>/gi;
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

/** Length of the longest suffix after `from` that may be the beginning of `tag`. */
function heldBack(text: string, tag: string, from: number, isEnd: boolean): number {
  if (isEnd) return 0;
  const end = text.slice(Math.max(from, text.length - tag.length + 1)).toLowerCase();
  for (let length = end.length; length > 0; length--) {
    if (tag.startsWith(end.slice(-length))) return length;
  }
  return 0;
}
