import type { ExecutionView } from '../executions/execution-view.js';
import { utf8Length } from '#libs/kernel';

/** Bytes of a value as JSON in UTF-8. */
export function jsonBytes(value: unknown): number {
  return utf8Length(JSON.stringify(value));
}

/** Execution with parts left out. */
export interface ShortenedExecution extends ExecutionView {
  readonly truncated: true;
  /** API path of the complete execution. */
  readonly result_url: string;
}

type Result = NonNullable<ExecutionView['result']>;

const CUT_NOTE = '\n[the rest was cut off]';
const MAX_MESSAGE_CHARACTERS = 500;
/** Minimum bytes of a text that are worth keeping at the cost of other fields. */
const MIN_TEXT_BYTES = 1_000;

/** Reductions from the least to the most important field; each applies on top of the earlier ones. */
const REDUCTIONS: readonly ((view: ExecutionView) => ExecutionView)[] = [
  (view) => view,
  (view) => ({ ...view, execution_metadata: {} }),
  (view) => ({ ...view, result: view.result && withoutData(view.result) }),
  (view) => ({ ...view, required_action: view.required_action && withoutInputs(view.required_action) }),
  (view) => ({ ...view, metadata: {} }),
  (view) => ({ ...view, error: view.error && withShortMessage(view.error) }),
];

/**
 * Shortens an execution to JSON of at most `maxBytes` bytes: drops large fields one by one and truncates the answer's
 * text. If even that is too long, the rest has a fixed size of a few kilobytes.
 */
export function shortenExecution(view: ExecutionView, maxBytes: number): ShortenedExecution {
  const pointer = { truncated: true, result_url: `/api/executions/${view.id}/` } as const;
  let reduced = view;
  for (const reduce of REDUCTIONS) {
    reduced = reduce(reduced);
    const fitting = cutText({ ...reduced, ...pointer }, maxBytes);
    if (fitting !== null) return fitting;
  }
  return { ...reduced, ...pointer, result: reduced.result && withContent(reduced.result, CUT_NOTE) };
}

/** Null if too little of the text would be left. */
function cutText(view: ShortenedExecution, maxBytes: number): ShortenedExecution | null {
  const room = maxBytes - jsonBytes(view);
  if (room >= 0) return view;
  if (view.result === null) return null;
  const { content } = view.result.message;
  const left = jsonBytes(content) + room;
  if (left < MIN_TEXT_BYTES) return null;
  return { ...view, result: withContent(view.result, longestBeginning(content, left)) };
}

/** The longest prefix of the text that takes at most `maxBytes` bytes as JSON, with a note that it was truncated. */
function longestBeginning(text: string, maxBytes: number): string {
  const cutAt = (length: number): string => text.slice(0, length).toWellFormed() + CUT_NOTE;
  let fits = 0;
  // Every character takes at least one byte.
  let tooLong = Math.min(text.length, maxBytes) + 1;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (jsonBytes(cutAt(middle)) <= maxBytes) fits = middle;
    else tooLong = middle;
  }
  const splitsCharacter = /[\uD800-\uDBFF]/.test(text.charAt(fits - 1));
  return cutAt(splitsCharacter ? fits - 1 : fits);
}

function withContent({ message, ...rest }: Result, content: string): Result {
  return { ...rest, message: { ...message, content } };
}

function withoutData({ message }: Result): Result {
  return { message: { ...message, data: {} }, citations: [] };
}

function withoutInputs(action: NonNullable<ExecutionView['required_action']>): typeof action {
  const calls = action.calls.map(({ call, asks, tool_name }) => ({
    call,
    asks,
    tool_name,
    tool_input: null,
  }));
  return { ...action, calls };
}

function withShortMessage({ code, message }: NonNullable<ExecutionView['error']>): {
  code: string;
  message: string;
} {
  return { code, message: message.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed() };
}
