import type { StreamFault } from '../faults/fault-schema.js';
import type { Frame } from '../http/delivery.js';
import type { Pace } from '../responses/answer.js';
import { splitDeltas } from '../responses/split-deltas.js';
import { toChatUsage, type BuiltCompletion, type CompletionCall } from './build-completion.js';

interface Delta {
  readonly delta: object;
  /** Whether the chunk is delayed like written text. */
  readonly isWritten: boolean;
}

/**
 * Chunks of a streamed completion, in the order of the real API. The end (reason, requested usage, `[DONE]`) is one frame,
 * so that a fault cannot split it.
 */
export function chunkFrames(
  completion: BuiltCompletion,
  pace: Pace,
  includesUsage: boolean,
  faults: readonly StreamFault[],
): readonly Frame[] {
  const written = deltasOf(completion, pace).map(({ delta, isWritten }): Frame => ({
    text: frame(chunk(completion, [choice(delta, null)])),
    delayMs: isWritten ? pace.deltaMs : 0,
    isTerminal: false,
  }));
  const last: Frame = { text: endOf(completion, includesUsage), delayMs: 0, isTerminal: true };
  return applyChunkFaults([...written, last], faults);
}

function deltasOf({ reasoning, content, refusal, calls }: BuiltCompletion, pace: Pace): readonly Delta[] {
  const written = (text: string, toDelta: (piece: string) => object): Delta[] =>
    splitDeltas(text, pace.deltaCharacters).map((piece) => ({ delta: toDelta(piece), isWritten: true }));
  return [
    { delta: { role: 'assistant', content: '', refusal: null }, isWritten: false },
    ...written(reasoning, (piece) => ({ reasoning_content: piece })),
    ...written(content, (piece) => ({ content: piece })),
    ...written(refusal, (piece) => ({ refusal: piece })),
    ...calls.flatMap((call, index) => callDeltas(call, index, pace)),
  ];
}

function callDeltas(call: CompletionCall, index: number, pace: Pace): readonly Delta[] {
  const begun = { index, ...call, function: { name: call.function.name, arguments: '' } };
  return [
    { delta: { tool_calls: [begun] }, isWritten: false },
    ...splitDeltas(call.function.arguments, pace.deltaCharacters).map((piece) => ({
      delta: { tool_calls: [{ index, function: { arguments: piece } }] },
      isWritten: true,
    })),
  ];
}

function endOf(completion: BuiltCompletion, includesUsage: boolean): string {
  const { error, finishReason, usage } = completion;
  if (error !== null) return frame({ error });
  const reported = usage === null ? null : usage && toChatUsage(usage);
  const ended = frame(chunk(completion, [choice({}, finishReason)]));
  const counted =
    includesUsage && reported !== undefined ? frame({ ...chunk(completion, []), usage: reported }) : '';
  return `${ended}${counted}data: [DONE]\n\n`;
}

/** Applies faults to the chunks: inserts unknown ones, or ends with an `error`. */
function applyChunkFaults(frames: readonly Frame[], faults: readonly StreamFault[]): readonly Frame[] {
  return faults.reduce<readonly Frame[]>((changed, fault) => {
    if (fault.kind === 'unknown_events') return withUnknownChunks(changed, fault.every);
    if (fault.kind !== 'error_event') return changed;
    const { code, message } = fault;
    const text = frame({ error: { message, type: 'server_error', param: null, code } });
    const kept = changed.slice(0, fault.after_events ?? Math.floor(changed.length / 2));
    return [...kept, { text, delayMs: 0, isTerminal: true }];
  }, frames);
}

function withUnknownChunks(frames: readonly Frame[], every: number): readonly Frame[] {
  const unknown: Frame = {
    text: frame({ object: 'chat.completion.simulated', note: 'clients ignore what they do not know' }),
    delayMs: 0,
    isTerminal: false,
  };
  return frames.flatMap((one, index) =>
    index % every === 0 && index < frames.length - 1 ? [one, unknown] : [one],
  );
}

function chunk({ id, created, model }: BuiltCompletion, choices: readonly object[]): object {
  return { id, object: 'chat.completion.chunk', created, model, choices };
}

function choice(delta: object, finishReason: string | null): object {
  return { index: 0, delta, logprobs: null, finish_reason: finishReason };
}

function frame(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
