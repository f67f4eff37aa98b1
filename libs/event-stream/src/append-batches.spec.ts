import { expect, it } from '@jest/globals';
import { batchAppends, toAppend } from './append-batches.js';

it('an append begins after a write that was asked for at the same time', async () => {
  const begun: string[] = [];
  const appends = batchAppends({
    appendTogether: (all) => {
      begun.push('events');
      return Promise.resolve(all.map(() => ({ kind: 'done', value: true })));
    },
    mayRunAlone: () => false,
    lanes: 1,
  });
  const appended = appends.call(
    toAppend('e1', 2, [{ event: 'text_delta', data: { content: 'a', round: 1 } }]),
  );
  // Like the settlement of an answer that was not streamed.
  setImmediate(() => begun.push('settlement'));
  await appended;
  expect(begun).toEqual(['settlement', 'events']);
});
