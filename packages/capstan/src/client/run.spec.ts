import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { events, json, problem, scriptedFetch, sentJson, type Step } from '../../fakes/scripted-fetch.js';
import { Capstan } from './capstan.js';

const OPEN = {
  id: 'e1',
  status: 'queued',
  finished_at: null,
  result: null,
  required_action: null,
  error: null,
};
const ENDED = { ...OPEN, finished_at: '2026-11-28T10:00:00Z' };
const completed = (content: string) => ({
  ...ENDED,
  status: 'completed',
  result: { message: { content }, citations: [] },
});
const FAILED = { ...ENDED, status: 'failed', error: { code: 'SDK_ERROR', message: 'the model is away' } };
const WAITING = {
  ...OPEN,
  status: 'requires_action',
  required_action: { calls: [{ call: '1.0', asks: 'approval' }] },
};

const RESULT = 'id: 9\nevent: result\ndata: {"title_pending":false}\n\n';
const APPROVAL = 'id: 3\nevent: approval_required\ndata: {"calls":[]}\n\n';

function client(...answers: Step[]) {
  const { fetch, sent } = scriptedFetch(...answers);
  return { capstan: new Capstan({ fetch, baseUrl: 'http://capstan', maxRetries: 0 }), sent };
}

describe('a run', () => {
  it('submits, waits by an answer that is held, and answers the text', async () => {
    const { capstan, sent } = client(json(OPEN, 202), json(completed('Hello.')));
    const result = await capstan.run(7, 'Good morning');
    expect(result).toMatchObject({ status: 'completed', output: 'Hello.', execution: { id: 'e1' } });
    expect(sent.map(({ method, url }) => `${method} ${url.slice('http://capstan'.length)}`)).toEqual([
      'POST /api/agents/7/execute/',
      'GET /api/executions/e1/',
    ]);
    expect(sent[1]?.headers.get('prefer')).toBe('wait=20');
  });

  it('asks again where the end did not come in time, or the connection broke', async () => {
    const held = json(OPEN, 200, { 'preference-applied': 'wait=20' });
    const broken = new TypeError('fetch failed');
    const { capstan, sent } = client(json(OPEN, 202), held, broken, json(completed('Hello.')));
    await expect(capstan.run(7, 'x')).resolves.toMatchObject({ output: 'Hello.' });
    expect(sent).toHaveLength(4);
  });

  it('fails where the execution is not there', async () => {
    const { capstan } = client(problem(404, 'NOT_FOUND'));
    await expect(capstan.executions.wait('e1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('follows where its events are wanted', async () => {
    const { capstan, sent } = client(json(OPEN, 202), events(RESULT), json(completed('Hello.')));
    const seen: string[] = [];
    const result = await capstan.run(7, 'Good morning', { onEvent: ({ event }) => seen.push(event) });
    expect([result, seen]).toMatchObject([{ status: 'completed', output: 'Hello.' }, ['result']]);
    expect(sent.map(({ method, url }) => `${method} ${url.slice('http://capstan'.length)}`)).toEqual([
      'POST /api/agents/7/execute/',
      'GET /api/executions/e1/events/',
      'GET /api/executions/e1/',
    ]);
  });

  it('takes one request where the answer comes in time', async () => {
    const { capstan, sent } = client(json(completed('Hello.')));
    await capstan.run(7, { input: 'Good morning', metadata: { ticket: 'T-1' } }, { wait: 20 });
    expect(sent[0]?.headers.get('prefer')).toBe('wait=20, handling=lenient');
  });

  it('gives the value of a schema', async () => {
    const { capstan } = client(json(completed('{"total": 12}')));
    const result = await capstan.run(7, 'x', { wait: 1, output: z.object({ total: z.number() }) });
    if (result.status !== 'completed') throw new Error(result.status);
    expect(result.output.total + 1).toBe(13);
  });

  it.each([
    ['Twelve.', 'it is no JSON'],
    ['{"total": "12"}', '/total: '],
  ])('fails with the answer %s, which does not fit', async (text, fault) => {
    const { capstan } = client(json(completed(text)));
    const asked = capstan.run(7, 'x', { wait: 1, output: z.object({ total: z.number() }) });
    await expect(asked).rejects.toMatchObject({
      name: 'OutputError',
      text,
      message: expect.stringContaining(fault),
    });
  });

  it.each([
    [FAILED, { name: 'ExecutionFailedError', code: 'SDK_ERROR', message: 'the model is away' }],
    [{ ...ENDED, status: 'cancelled' }, { name: 'ExecutionCancelledError' }],
    [
      { ...ENDED, status: 'incomplete', incomplete_details: { reason: 'budget' } },
      { name: 'ExecutionIncompleteError', reason: 'budget' },
    ],
  ])('fails with the execution that ended otherwise', async (execution, error) => {
    const { capstan } = client(json(execution));
    await expect(capstan.run(7, 'x', { wait: 1 })).rejects.toMatchObject({ ...error, execution });
  });

  it('ends where a person is needed', async () => {
    const { capstan } = client(json(OPEN, 202), json(WAITING));
    await expect(capstan.run(7, 'x')).resolves.toMatchObject({
      status: 'requires_action',
      calls: [{ call: '1.0' }],
    });
  });

  it('goes on after decisions that were taken before', async () => {
    const running = { ...OPEN, status: 'running' };
    const { capstan } = client(
      json(OPEN, 202),
      events(APPROVAL + RESULT),
      json(running),
      json(completed('Done.')),
    );
    const followed = capstan.run(7, 'x', { onEvent: () => undefined });
    await expect(followed).resolves.toMatchObject({ output: 'Done.' });
  });

  it('refuses a time to wait that the service does not take', async () => {
    const { capstan, sent } = client();
    await expect(capstan.run(7, 'x', { wait: 61 })).rejects.toThrow('1 to 60');
    expect(sent).toEqual([]);
  });
});

describe('waiting calls', () => {
  it('are allowed all at once', async () => {
    const { capstan, sent } = client(json(WAITING), json(OPEN));
    await capstan.executions.approve('e1', { person: 'anna' });
    expect(sentJson(sent[1])).toEqual({
      decisions: [{ call: '1.0', approved: true }],
      person: 'anna',
    });
  });

  it('are refused by name with a reason', async () => {
    const { capstan, sent } = client(json(OPEN));
    await capstan.executions.reject('e1', { calls: ['2.1'], reason: 'too dear' });
    expect(sentJson(sent[0])).toEqual({
      decisions: [{ call: '2.1', approved: false, reason: 'too dear' }],
    });
  });
});

describe('a followed execution', () => {
  it('hands on kinds of events that it does not know, and no heartbeats', async () => {
    const text = 'id: 1\nevent: invented\ndata: {"a":1}\n\nevent: heartbeat\ndata: {}\n\n' + RESULT;
    const { capstan } = client(events(text));
    const seen: unknown[] = [];
    for await (const event of capstan.executions.follow('e1')) seen.push(event.event);
    expect(seen).toEqual(['invented', 'result']);
  });

  it('resumes after the last event, and notices one that comes twice', async () => {
    const delta = (id: number) => `id: ${id}\nevent: text_delta\ndata: {"content":"${id}"}\n\n`;
    const { capstan, sent } = client(
      events('retry: 0\n\n' + delta(1) + delta(2)),
      events('retry: 0\n\n' + delta(2) + delta(3)),
      new Response(null, { status: 204 }),
    );
    const ids: unknown[] = [];
    for await (const event of capstan.executions.follow('e1')) ids.push('id' in event && event.id);
    expect(ids).toEqual(['1', '2', '3']);
    expect(sent.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '2', '3']);
  });

  it('ends after the title that its result announced', async () => {
    const text = RESULT.replace('false', 'true') + 'id: 10\nevent: title_generated\ndata: {"title":"T"}\n\n';
    const { capstan } = client(events(text));
    const seen: unknown[] = [];
    for await (const event of capstan.executions.follow('e1')) seen.push(event.event);
    expect(seen).toEqual(['result', 'title_generated']);
  });

  it('takes another stream token once one that worked has expired', async () => {
    const { capstan, sent } = client(events('retry: 0\n\n'), problem(401, 'UNAUTHENTICATED'), events(RESULT));
    let made = 0;
    const streamToken = () => `cst_${(made += 1)}`;
    for await (const _event of capstan.executions.follow('e1', { streamToken })) continue;
    expect(sent.map(({ url }) => new URL(url).searchParams.get('stream_token'))).toEqual([
      'cst_1',
      'cst_1',
      'cst_2',
    ]);
  });

  it('fails where the server refuses', async () => {
    const { capstan } = client(problem(404, 'NOT_FOUND'));
    await expect(capstan.executions.follow('e1').next()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
