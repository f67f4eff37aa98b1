import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DeliveryStep, Frame } from '../http/delivery.js';
import { carryFrames } from './carry-frames.js';
import { faultSchema, layerFaults } from './fault-schema.js';
import { planTransport } from './transport-plan.js';

const FRAMES: readonly Frame[] = ['{"a":"é"}', '{"b":"世界"}', '{"c":"👍"}'].map((json, index) => ({
  text: `data: ${json}\n\n`,
  delayMs: 0,
  isTerminal: index === 2,
}));

function steps(...faults: object[]): DeliveryStep[] {
  const { stream } = layerFaults(faults.map((fault) => faultSchema.parse(fault)));
  return [...carryFrames(FRAMES, planTransport(stream, FRAMES.length), true)];
}

const bytesOf = (taken: readonly DeliveryStep[]): Buffer =>
  Buffer.concat(taken.flatMap((step) => (step.kind === 'write' ? [step.bytes] : [])));
const textOf = (...faults: object[]): string => bytesOf(steps(...faults)).toString('utf8');
const isTerminalSent = (...faults: object[]): boolean =>
  steps(...faults).some((step) => step.kind === 'write' && step.isTerminal);
const WHOLE = FRAMES.map((frame) => frame.text).join('');

describe('frames on the wire', () => {
  it('arrive as they are without a fault', () => {
    expect(textOf()).toBe(WHOLE);
    expect(isTerminalSent()).toBe(true);
  });

  it.each<[string, object[], string]>([
    ['with other line ends', [{ kind: 'crlf' }], WHOLE.replaceAll('\n', '\r\n')],
    [
      'between comments',
      [{ kind: 'comments' }],
      FRAMES.map(({ text }) => `: keep-alive\n\n${text}`).join(''),
    ],
    ['before a marker', [{ kind: 'done_marker' }], `${WHOLE}data: [DONE]\n\n`],
    ['without the terminal one', [{ kind: 'truncate' }], 'data: {"a":"é"}\n\ndata: {"b":"世界"}\n\n'],
    ['up to a chosen one', [{ kind: 'truncate', after_events: 1 }], 'data: {"a":"é"}\n\n'],
    ['up to half of one', [{ kind: 'truncate_mid_event', after_events: 1 }], 'data: {"a":"é"}\n\ndata: {"b'],
    [
      'with broken JSON in one',
      [{ kind: 'invalid_json_event', after_events: 1 }],
      WHOLE.replace('世界"}', '世界"'),
    ],
    [
      'with broken JSON in one and other line ends',
      [{ kind: 'invalid_json_event', after_events: 0 }, { kind: 'crlf' }],
      WHOLE.replace('é"}', 'é"').replaceAll('\n', '\r\n'),
    ],
  ])('arrive %s', (_name, faults, expected) => {
    expect(textOf(...faults)).toBe(expected);
  });

  it.each(['truncate', 'truncate_mid_event', 'reset_mid_event', 'hang_mid_stream'])(
    'never arrive whole after %s, wherever it cuts',
    (kind) => {
      for (const after_events of [0, 1, 2, 3, 99]) expect(isTerminalSent({ kind, after_events })).toBe(false);
    },
  );

  it('end with a reset or with silence when they are asked to', () => {
    expect(steps({ kind: 'reset_mid_event' }).at(-1)).toEqual({ kind: 'reset' });
    expect(steps({ kind: 'hang_mid_stream' }).at(-1)).toEqual({ kind: 'hang' });
  });

  it('go on after a hang with an end', () => {
    expect(steps({ kind: 'hang_mid_stream', ms: 50 })).toContainEqual({ kind: 'wait', ms: 50 });
    expect(textOf({ kind: 'hang_mid_stream', ms: 50 })).toBe(WHOLE);
    expect(isTerminalSent({ kind: 'hang_mid_stream', ms: 50 })).toBe(true);
  });

  it('are torn inside every character of several bytes', () => {
    const chunks = steps({ kind: 'split_utf8' }).flatMap((step) =>
      step.kind === 'write' ? [step.bytes] : [],
    );
    expect(Buffer.concat(chunks).toString('utf8')).toBe(WHOLE);
    const torn = chunks.filter((chunk) => (chunk.at(-1) ?? 0) >= 0xc0);
    expect(torn).toHaveLength('é, 世, 界, 👍'.split(', ').length);
  });

  it('drip with comments between events', () => {
    const drip = steps({ kind: 'slow_drip', bytes: 4, interval_ms: 20 });
    expect(drip.filter((step) => step.kind === 'wait').every((step) => step.ms === 20)).toBe(true);
    expect(bytesOf(drip).toString('utf8')).toBe(FRAMES.map(({ text }) => `: keep-alive\n\n${text}`).join(''));
  });

  it('are the same bytes however small the chunks are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), (bytes) => {
        const split = steps({ kind: 'split_events', bytes });
        expect(bytesOf(split).toString('utf8')).toBe(WHOLE);
        expect(split.every((step) => step.kind !== 'write' || step.bytes.length <= bytes)).toBe(true);
        expect(split.filter((step) => step.kind === 'write' && step.isTerminal)).toHaveLength(1);
      }),
    );
  });
});
