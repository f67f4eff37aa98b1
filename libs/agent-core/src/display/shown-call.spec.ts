import { describe, expect, it } from '@jest/globals';
import { shownOutcome, shownOutput } from './shown-call.js';

describe('shownOutput', () => {
  it.each([
    [
      'shows status and data of a FunctionCallResult, not the message for the model (S2-20)',
      '{"status":"success","result":{"message":"Ask for the date next.","order_id":7,"lines":[1]}}',
      '{"status":"success","result":{"order_id":7,"lines":[1]}}',
    ],
    [
      'shows no message of a failure either (S2-20)',
      '{"status":"error","result":{"message":"Invalid JSON for book parcel"}}',
      '{"status":"error","result":{}}',
    ],
    [
      'keeps a message that is data of the agent',
      '{"status":"success","result":{"mail":{"message":"hello"}}}',
      '{"status":"success","result":{"mail":{"message":"hello"}}}',
    ],
    ['shows a text of 200 characters', 'x'.repeat(200), 'x'.repeat(200)],
    ['cuts a longer text', 'x'.repeat(201), `${'x'.repeat(200)}...`],
    ['splits no character', `${'x'.repeat(199)}😀!`, `${'x'.repeat(199)}...`],
    ['cuts other JSON like text', `{"rows":"${'y'.repeat(300)}"}`, `{"rows":"${'y'.repeat(191)}...`],
    [
      'takes an object with more keys for other JSON',
      '{"status":"success","result":{"message":"m"},"extra":1}',
      '{"status":"success","result":{"message":"m"},"extra":1}',
    ],
    ['shows broken JSON as text', '{"status":"success","result":{', '{"status":"success","result":{'],
  ])('%s', (_name, output, shown) => {
    expect(shownOutput(output)).toBe(shown);
  });
});

describe('shownOutcome', () => {
  it('hides the message also in what came of an equal call before', () => {
    const original = '{"status":"error","result":{"message":"secret advice","code":3}}';
    const outcome = { status: 'refused', reason: 'repeated_failure', output: 'not again', original } as const;
    expect(shownOutcome(outcome)).toEqual({
      ...outcome,
      original: '{"status":"error","result":{"code":3}}',
    });
  });

  it('changes nothing else', () => {
    const outcome = {
      status: 'succeeded',
      output: 'short',
      result: { status: 'success', result: {} },
    } as const;
    expect(shownOutcome(outcome)).toEqual(outcome);
  });
});
