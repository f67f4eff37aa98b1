import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callModel } from './call-model.js';
import * as scenes from './scenes.js';
import { ScriptedProvider, type Scene } from './scripted-provider.js';

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(() => provider.stop());

const { text, CREATED } = scenes;
const streamed = {};
const blocking = { enable_stream: false };

describe('a call that is aborted', () => {
  it.each<[string, Scene, object]>([
    ['before the answer', scenes.silence, streamed],
    ['before the whole body', scenes.silence, blocking],
    ['in the middle of a stream', scenes.streamThenSilence(CREATED, text('half')), streamed],
  ])('ends at once %s and closes its connection', async (_case, scene, parameters) => {
    const caller = new AbortController();
    provider.play((response, request) => {
      scene(response, request);
      setImmediate(() => caller.abort());
    });
    const { error } = await callModel(
      { baseUrl: provider.baseUrl },
      { parameters: { ...parameters } },
      caller.signal,
    );
    expect(error).toMatchObject({ reason: 'aborted', retryable: false });
    await provider.requests[0]?.closed;
  });

  it('is not sent at all when it was aborted before', async () => {
    provider.play(scenes.silence);
    const { error } = await callModel({ baseUrl: provider.baseUrl }, {}, AbortSignal.abort());
    expect(error).toMatchObject({ reason: 'aborted' });
    expect(provider.requests).toHaveLength(0);
  });

  it('L8: ends at once while a slow stream drips on', async () => {
    const caller = new AbortController();
    provider.play((response) => {
      scenes.openStream(response);
      const drip = (): void => {
        if (response.writableEnded || response.destroyed) return;
        // Not at once: a write after the end of the connection is called back before its end is noticed.
        response.write(scenes.frame(text('.')), () => setImmediate(drip));
      };
      drip();
    });
    const { error, deltas } = await callModel({ baseUrl: provider.baseUrl }, {}, caller.signal, () =>
      caller.abort(),
    );
    expect(error).toMatchObject({ reason: 'aborted' });
    expect(deltas).toHaveLength(1);
    await provider.requests[0]?.closed;
  });
});
