import { assertNever } from '#libs/kernel';
import type { DeliveryStep, Frame } from '../http/delivery.js';
import type { Chunking, Stop, TransportPlan } from './transport-plan.js';

const COMMENT = ': keep-alive';
/** Pause in ms, long enough that chunks arrive separately. */
const PAUSE_INSIDE_CHARACTER_MS = 2;

/** Delivery steps for frames under a transport plan. `isEventStream` enables comments and markers. */
export function* carryFrames(
  frames: readonly Frame[],
  plan: TransportPlan,
  isEventStream: boolean,
): Generator<DeliveryStep> {
  const broken = plan.encoding === 'latin1' ? breakEnd : breakJson;
  const shown = frames.map((frame, index) => (index === plan.brokenFrame ? broken(frame) : frame));
  const { stop } = plan;
  if (stop === null) {
    yield* carryAll(shown, plan, isEventStream);
    if (plan.hasDoneMarker && isEventStream) yield writeText('data: [DONE]\n\n', plan, false);
    return;
  }
  yield* carryAll(shown.slice(0, stop.afterFrames), plan, isEventStream);
  const next = shown[stop.afterFrames];
  const cut = stop.isMidFrame && next !== undefined ? halfOf(next) : '';
  if (cut !== '') yield writeText(cut, plan, false);
  yield* stopSteps(stop);
  if (stop.then !== 'hang' || stop.resumesAfterMs === null) return;
  const rest = shown.slice(stop.afterFrames);
  yield* carryAll(cut === '' ? rest : withoutStart(rest, cut.length), plan, isEventStream);
}

/** The same for frames of bytes, each a character: faults of texts change nothing. */
export function carryBinaryFrames(frames: readonly Frame[], plan: TransportPlan): Generator<DeliveryStep> {
  const binary = { lineEnd: '\n', hasComments: false, hasDoneMarker: false, encoding: 'latin1' } as const;
  const { chunking } = plan;
  const silent = chunking.kind === 'bytes' ? { ...chunking, hasComments: false } : chunking;
  return carryFrames(frames, { ...plan, ...binary, chunking: silent }, true);
}

function* stopSteps(stop: Stop): Generator<DeliveryStep> {
  switch (stop.then) {
    case 'end':
      return;
    case 'reset':
      yield { kind: 'reset' };
      return;
    case 'hang':
      yield stop.resumesAfterMs === null ? { kind: 'hang' } : { kind: 'wait', ms: stop.resumesAfterMs };
      return;
    default:
      assertNever(stop.then);
  }
}

function* carryAll(
  frames: readonly Frame[],
  plan: TransportPlan,
  isEventStream: boolean,
): Generator<DeliveryStep> {
  for (const frame of frames) {
    if (frame.delayMs > 0) yield { kind: 'wait', ms: frame.delayMs };
    if (plan.hasComments && isEventStream) yield writeText(`${COMMENT}\n\n`, plan, false);
    const whole = writeText(frame.text, plan, frame.isTerminal);
    yield* chunksOf(whole, plan.chunking, isEventStream);
  }
}

type Write = Extract<DeliveryStep, { kind: 'write' }>;

function writeText(text: string, plan: TransportPlan, isTerminal: boolean): Write {
  const lines = plan.lineEnd === '\n' ? text : text.replaceAll('\n', plan.lineEnd);
  return { kind: 'write', bytes: Buffer.from(lines, plan.encoding), isTerminal };
}

function* chunksOf(whole: Write, chunking: Chunking, isEventStream: boolean): Generator<DeliveryStep> {
  if (chunking.kind === 'whole') {
    yield whole;
    return;
  }
  if (chunking.kind === 'bytes' && chunking.hasComments && isEventStream) {
    yield { kind: 'write', bytes: Buffer.from(`${COMMENT}\n\n`), isTerminal: false };
  }
  const pauseMs = chunking.kind === 'bytes' ? chunking.pauseMs : PAUSE_INSIDE_CHARACTER_MS;
  const cuts =
    chunking.kind === 'bytes' ? everyBytes(whole.bytes, chunking.size) : insideCharacters(whole.bytes);
  for (const [start, end] of cuts) {
    const isLast = end === whole.bytes.length;
    yield { kind: 'write', bytes: whole.bytes.subarray(start, end), isTerminal: whole.isTerminal && isLast };
    yield { kind: 'wait', ms: pauseMs };
  }
}

function* everyBytes(bytes: Buffer, size: number): Generator<readonly [number, number]> {
  for (let start = 0; start < bytes.length; start += size)
    yield [start, Math.min(start + size, bytes.length)];
}

/** Splits after the first byte of every multi-byte character. */
function* insideCharacters(bytes: Buffer): Generator<readonly [number, number]> {
  let start = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) < 0xc0) continue;
    yield [start, at + 1];
    start = at + 1;
  }
  if (start < bytes.length) yield [start, bytes.length];
}

function breakJson(frame: Frame): Frame {
  return { ...frame, text: frame.text.replace(/\}(?=\s*$)/, '') };
}

/** Another last byte, which is one of the checksum. */
function breakEnd(frame: Frame): Frame {
  const last = frame.text.charCodeAt(frame.text.length - 1);
  return { ...frame, text: frame.text.slice(0, -1) + String.fromCharCode((last + 1) % 256) };
}

/** Never splits a surrogate pair: other faults split bytes. */
function halfOf(frame: Frame): string {
  return frame.text.slice(0, Math.ceil(frame.text.length / 2)).replace(/[\uD800-\uDBFF]$/, '');
}

function withoutStart(frames: readonly Frame[], length: number): readonly Frame[] {
  return frames.map((frame, index) => (index === 0 ? { ...frame, text: frame.text.slice(length) } : frame));
}
