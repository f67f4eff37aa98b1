import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isJsonObject, type JsonObject } from '#libs/kernel';
import { modelProviders } from '#libs/model-providers';
import type { ToolDefinition, ToolOutput } from '#libs/tooling';
import { officialRequestSchema } from '../../../contract/model/official-request.schema.js';
import * as scenes from '../../../contract/model/scenes.js';
import { ScriptedProvider } from '../../../contract/model/scripted-provider.js';
import { WIRES } from '../../../contract/model/wires.js';
import { BY_CHARACTERS } from '../../../support/builders/counted-model.js';
import { aTool } from '../../../support/builders/tool.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { openModel } from '../../../support/services/open-model.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
let server: ScriptedProvider;
beforeAll(async () => {
  world = await WorkerWorld.open();
  server = await ScriptedProvider.start();
});
afterAll(async () => {
  await server.stop();
  await world.close();
});

const itemsOf = (body: unknown, list: string): readonly JsonObject[] =>
  isJsonObject(body) && Array.isArray(body[list]) ? body[list].filter(isJsonObject) : [];

interface SentCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly output: unknown;
}

/** The calls of a request with the outputs that their ids find, in order; any API's. */
function sentCalls(body: unknown): readonly SentCall[] {
  const input = itemsOf(body, 'input');
  const messages = itemsOf(body, 'messages');
  const blocks = messages.flatMap((message) => itemsOf(message, 'content'));
  const called = [
    ...blocks.filter(({ type }) => type === 'tool_use').map(({ id, name }) => ({ id, name })),
    ...input.filter(({ type }) => type === 'function_call').map(({ call_id: id, name }) => ({ id, name })),
    ...messages
      .flatMap((message) => itemsOf(message, 'tool_calls'))
      .map(({ id, function: named }) => ({ id, name: isJsonObject(named) ? named['name'] : null })),
  ];
  const outputs = [
    ...blocks
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id: id, content }) => [id, content]),
    ...input
      .filter(({ type }) => type === 'function_call_output')
      .map(({ call_id: id, output }) => [id, output]),
    ...messages.filter(({ role }) => role === 'tool').map(({ tool_call_id: id, content }) => [id, content]),
  ];
  expect(outputs.map(([id]) => id)).toEqual(called.map(({ id }) => id));
  expect(new Set(called.map(({ id }) => id)).size).toBe(called.length);
  return called.map((call, at) => ({ ...call, output: outputs[at]?.[1] }));
}

const textTool = (name: string, text: string): ToolDefinition =>
  aTool(name, {
    run: () =>
      Promise.resolve({
        result: { status: 'success', result: {} },
        outputs: [{ type: 'text', text }] satisfies ToolOutput[],
      }),
  });

describe.each(WIRES)('requests to a server of %s', (provider, wire) => {
  /** Runs a turn with these rounds as the server's answers; returns the bodies of the requests. */
  async function turn(
    tools: readonly ToolDefinition[],
    rounds: readonly (readonly object[])[],
    sessionId?: string,
  ) {
    server.play(...rounds.map((events) => scenes.stream(...wire.begin, ...events.flat(), ...wire.end())));
    const submitted = await world.submit(sessionId === undefined ? {} : { sessionId });
    const { parameters } = modelProviders.get(provider);
    const model = openModel({ baseUrl: server.baseUrl }, provider);
    const view = await world.run(submitted.id, new ScriptedModel([]), tools, {
      models: {
        of: () => ({
          ...{ model, maxRetries: 0, prices: null, costOf: () => null, parameters },
          ...BY_CHARACTERS,
        }),
      },
    });
    const bodies = server.requests.map(({ body }) => body);
    if (provider === 'openai') for (const body of bodies) officialRequestSchema.parse(body);
    return { ...submitted, view, bodies };
  }

  it('stays within bounds after an answer of 1.5 MB, in its turn and in the next', async () => {
    const tools = [textTool('dump', 'z'.repeat(1_500_000))];
    await world.offer(tools);
    const rounds = [[wire.call('c1', 'dump', '{}')], [wire.text('read')]];
    const first = await turn(tools, rounds);
    const second = await turn(tools, rounds, first.sessionId);
    for (const { view, bodies } of [first, second]) {
      expect(view).toMatchObject({ status: 'completed', result: { message: { content: 'read' } } });
      expect(bodies).toHaveLength(2);
      expect(Math.max(...bodies.map((body) => JSON.stringify(body).length))).toBeLessThan(80_000);
      expect(sentCalls(bodies[1])).toMatchObject([
        { name: 'dump', output: expect.stringMatching(/^z{60000,}\n\[the rest was cut off\]$/) },
      ]);
    }
    expect(JSON.stringify(second.bodies[0])).toContain('read');
  });

  it('has names that it takes for calls of names that it would refuse, and the audit has what was called', async () => {
    const names = ['odd name.with/dots', 'x'.repeat(80), 'gone'];
    const gone = textTool('gone', 'here');
    await world.offer([gone]);
    const before = await turn([gone], [[wire.call('c1', 'gone', '{}')], [wire.text('ok')]]);
    await world.offer([]);
    const calls = names.map((name, at) => wire.call(`c${at}`, name, '{}'));
    const { id, view, bodies } = await turn([], [calls, [wire.text('done')]], before.sessionId);
    expect(view.status).toBe('completed');
    const sent = sentCalls(bodies[1]);
    expect(sent.map(({ name }) => name)).toEqual(['odd_name_with_dots', 'x'.repeat(64), 'gone']);
    expect(sent.map(({ output }) => output)).toEqual(
      names.map((name) => expect.stringContaining(`there is not a tool named ${name}`)),
    );
    expect((await world.stepsOf(id)).map((step) => [step.tool_name, step.status])).toEqual(
      names.map((name) => [name, 'refused']),
    );
  });

  it('answers each of two calls with one id under an id of its own, and each has run once', async () => {
    const ran: string[] = [];
    const tools = ['note', 'mark'].map((name) =>
      aTool(name, {
        effect: 'unsafe',
        run: (_input, { idempotencyKey }) => {
          ran.push(`${name}${idempotencyKey.slice(idempotencyKey.indexOf('.'))}`);
          return Promise.resolve({
            result: { status: 'success', result: {} },
            outputs: [{ type: 'text', text: `${name}: done` }],
          });
        },
      }),
    );
    await world.offer(tools);
    const calls = [wire.call('c1', 'note', '{}'), wire.call('c1', 'mark', '{}')];
    const { id, view, bodies } = await turn(tools, [calls, [wire.text('done')]]);
    expect(view.status).toBe('completed');
    expect(ran).toEqual(['note.1.0', 'mark.1.1']);
    expect(sentCalls(bodies[1])).toMatchObject([
      { name: 'note', output: 'note: done' },
      { name: 'mark', output: 'mark: done' },
    ]);
    expect(await world.stepsOf(id)).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  });

  it.each([
    ['takes pictures', ['image'], true],
    ['does not', [], false],
  ])(
    'holds the picture of a tool where the model %s, and else says so',
    async (_what, native_media, isSent) => {
      const base64 = Buffer.from('a picture').toString('base64');
      const look = aTool('look', {
        run: () =>
          Promise.resolve({
            result: { status: 'success', result: {} },
            outputs: [{ type: 'blob', base64, mimeType: 'image/png', filename: 'shot.png' }],
          }),
      });
      await world.offer([look], { native_media });
      const { view, bodies } = await turn([look], [[wire.call('c1', 'look', '{}')], [wire.text('done')]]);
      expect(view.status).toBe('completed');
      const shown = [...itemsOf(bodies[1], 'input'), ...itemsOf(bodies[1], 'messages')]
        .flatMap((message) => itemsOf(message, 'content'))
        .map(({ image_url: url, source }) => (isJsonObject(url) ? url['url'] : (url ?? source)))
        .filter((url) => url !== undefined);
      expect(shown).toEqual(isSent ? [wire.image('image/png', base64)] : []);
      expect(sentCalls(bodies[1])[0]?.output).toBe(
        isSent
          ? 'Generated file ... '
          : 'Generated file ... \n[1 picture of this answer left out: this model reads no pictures]',
      );
    },
  );

  it('misses no call without a name in silence: the execution warns of it (3.B-8)', async () => {
    await world.offer([]);
    const { view } = await turn([], [[wire.text('I try.'), wire.call('c1', ' ', '{"q":1}')]]);
    expect(view).toMatchObject({
      status: 'completed',
      result: { message: { content: 'I try.' } },
      execution_metadata: {
        warnings: [
          'the model asked in round 1 for a tool call without a name or an id, or broken off: not run',
        ],
      },
    });
  });
});
