import type { StreamFault } from '../faults/fault-schema.js';
import type { Frame } from '../http/delivery.js';
import type { Pace } from '../responses/answer.js';
import { splitDeltas } from '../responses/split-deltas.js';
import { headOf, toMessageUsage, type BuiltBlock, type BuiltMessage } from './build-message.js';
import { toMessageError } from './message-error.js';

interface MessageEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Events of a streamed message, in the order of the real API. The end (stop reason with usage, `message_stop`) is one frame,
 * so that a fault cannot split it.
 */
export function messageFrames(
  message: BuiltMessage,
  pace: Pace,
  faults: readonly StreamFault[],
): readonly Frame[] {
  const written = [
    beginOf(message),
    { type: 'ping' },
    ...message.blocks.flatMap((block, index) => eventsOf(block, index, pace)),
  ];
  const frames = written.map((event): Frame => ({
    text: frame(event),
    delayMs: event.type === 'content_block_delta' ? pace.deltaMs : 0,
    isTerminal: false,
  }));
  const last: Frame = { text: endOf(message), delayMs: 0, isTerminal: true };
  return applyFaults([...frames, last], faults);
}

function beginOf(message: BuiltMessage): MessageEvent {
  const { usage, writes } = message;
  const begun = usage && { ...toMessageUsage(usage, writes), output_tokens: 1 };
  const head = { ...headOf(message), content: [], stop_reason: null, stop_sequence: null };
  return { type: 'message_start', message: { ...head, ...(begun !== undefined && { usage: begun }) } };
}

function eventsOf(block: BuiltBlock, index: number, pace: Pace): readonly MessageEvent[] {
  const [begun, deltas] = partsOf(block, pace.deltaCharacters);
  return [
    { type: 'content_block_start', index, content_block: begun },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function partsOf(block: BuiltBlock, characters: number): readonly [object, readonly object[]] {
  const pieces = (text: string, toDelta: (piece: string) => object) =>
    splitDeltas(text, characters).map(toDelta);
  switch (block.type) {
    case 'text':
      return [{ ...block, text: '' }, pieces(block.text, (text) => ({ type: 'text_delta', text }))];
    case 'thinking':
      return [
        { ...block, thinking: '', signature: '' },
        [
          ...pieces(block.thinking, (thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature },
        ],
      ];
    case 'tool_use':
      return [
        { ...block, input: {} },
        [
          { type: 'input_json_delta', partial_json: '' },
          ...pieces(block.input, (piece) => ({ type: 'input_json_delta', partial_json: piece })),
        ],
      ];
  }
}

function endOf(message: BuiltMessage): string {
  const { error, stopReason, usage, writes } = message;
  if (error !== null) return frame({ type: 'error', error });
  const reported = usage && toMessageUsage(usage, writes);
  const ended = frame({
    type: 'message_delta',
    delta: { stop_reason: stopReason, stop_sequence: null },
    ...(reported !== undefined && { usage: reported }),
  });
  return ended + frame({ type: 'message_stop' });
}

/** Applies faults to the events: inserts unknown ones, or ends with an `error`. */
function applyFaults(frames: readonly Frame[], faults: readonly StreamFault[]): readonly Frame[] {
  return faults.reduce<readonly Frame[]>((changed, fault) => {
    if (fault.kind === 'unknown_events') return withUnknownEvents(changed, fault.every);
    if (fault.kind !== 'error_event') return changed;
    const text = frame({ type: 'error', error: toMessageError(fault.code, fault.message) });
    const kept = changed.slice(0, fault.after_events ?? Math.floor(changed.length / 2));
    return [...kept, { text, delayMs: 0, isTerminal: true }];
  }, frames);
}

function withUnknownEvents(frames: readonly Frame[], every: number): readonly Frame[] {
  const text = frame({ type: 'simulated_event', note: 'clients ignore what they do not know' });
  const unknown: Frame = { text, delayMs: 0, isTerminal: false };
  return frames.flatMap((one, index) =>
    index % every === 0 && index < frames.length - 1 ? [one, unknown] : [one],
  );
}

function frame(event: MessageEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
