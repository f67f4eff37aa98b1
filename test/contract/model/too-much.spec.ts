import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callModel } from './call-model.js';
import * as scenes from './scenes.js';
import { ScriptedProvider, type Scene } from './scripted-provider.js';

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(() => provider.stop());

const blocking = { enable_stream: false };

async function fail(scene: Scene, parameters: object = {}) {
  provider.play(scene);
  // A busy process needs a while to read megabytes without an event.
  const patient = { baseUrl: provider.baseUrl, idleTimeoutMs: 60_000 };
  const { error } = await callModel(patient, { parameters: { ...parameters } });
  return { error };
}

describe('a server that sends too much', () => {
  const MB = 1_048_576;
  const NO_END = new Uint8Array(MB).fill(0x78);
  const pieces = (piece: Uint8Array, count: number) =>
    scenes.bytesAtOnce('data: ', ...Array.from({ length: count }, () => piece));
  const comments = new TextEncoder().encode(`: ${'x'.repeat(1_021)}\n`);
  const LINES = new Uint8Array(MB).map((_byte, index) => comments[index % comments.length] ?? 0);

  it('loses a line that does not end after 4 MB, and is not asked again', async () => {
    const { error } = await fail(pieces(NO_END, 6));
    expect(error).toMatchObject({ reason: 'answer_too_large', retryable: false });
    expect(error?.message).toBe('the provider sent too much: a line of the stream has more than 4 MB');
  });

  it('loses a stream of short lines after 20 MB', async () => {
    const { error } = await fail(pieces(LINES, 22));
    expect(error).toMatchObject({ reason: 'answer_too_large', retryable: false });
    expect(error?.message).toBe('the provider sent too much: the answer has more than 20 MB');
  });

  it('loses a body of JSON after 20 MB', async () => {
    const body = JSON.stringify({ ...scenes.COMPLETED_RESPONSE, padding: 'x'.repeat(20 * MB) });
    const { error } = await fail(scenes.body(body, 'application/json'), blocking);
    expect(error).toMatchObject({ reason: 'answer_too_large', retryable: false });
  });

  it('may send a body of JSON that is one line of more than 4 MB', async () => {
    const body = JSON.stringify({ ...scenes.COMPLETED_RESPONSE, padding: 'x'.repeat(5 * MB) });
    provider.play(scenes.body(body, 'application/json'));
    const { error } = await callModel({ baseUrl: provider.baseUrl }, { parameters: blocking });
    expect(error).toBeNull();
  });
});
