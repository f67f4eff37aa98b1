import { describe, expect, it } from '@jest/globals';
import type { ModelDelta } from '#libs/agent-core';
import type { PromptMessage } from '#libs/payloads';
import { EnginePlaces, SDK_VERSION } from '#libs/model-providers';
import { waitFor } from '../../support/services/wait-for.js';
import {
  ask,
  askOnce,
  describeSdk,
  never,
  open,
  question,
  request,
  runFolders,
  useStandIn,
} from './stand-in.js';

useStandIn();

describe('the engine of the Claude Agent SDK, with a stand-in for it', () => {
  it('gets a whole environment of its own, and leaves no folder', async () => {
    expect(process.env).toHaveProperty('PROJECT');
    const { text } = await askOnce('options');
    const { env, own } = JSON.parse(text) as { env: Record<string, string>; own: string[] };
    expect(env).toMatchObject({ ANTHROPIC_API_KEY: 'sk-canary-0123456789abcdef' });
    expect([...Object.keys(env), ...own].filter((name) => /^PROJECT$|DATABASE|JEST/.test(name))).toEqual([]);
    await waitFor(() => Promise.resolve(runFolders().length === 0), { description: 'the folder to go' });
  });

  it('takes up a conversation from its messages', async () => {
    const messages: PromptMessage[] = [
      { role: 'user', content: 'earlier' },
      { role: 'assistant', content: 'answer' },
      { role: 'user', content: 'options' },
    ];
    const opened = open();
    const { text } = await opened.call(request(...messages), () => undefined, never);
    opened.close();
    expect((JSON.parse(text) as { earlier: object[] }).earlier).toMatchObject([
      { type: 'user', parentUuid: null },
      { type: 'assistant', message: { content: [{ type: 'text', text: 'answer' }] } },
    ]);
  });

  it('waits for the outputs of its calls, and goes on with them', async () => {
    const opened = open();
    const deltas: ModelDelta[] = [];
    const first = await opened.call(question('tools'), (delta) => deltas.push(delta), never);
    expect(first.toolCalls).toMatchObject([
      { callId: 'call_1', toolName: 'search', arguments: '{"id":"call_1"}' },
      { callId: 'call_2', toolName: 'search' },
    ]);
    const toolCalls = first.toolCalls.map(({ callId: id, toolName: name, arguments: written }) => ({
      ...{ id, name, arguments: written },
    }));
    const outputs = ['call_1', 'call_2'].map((toolCallId): PromptMessage => ({
      ...{ role: 'tool', toolCallId, content: `output of ${toolCallId}` },
    }));
    const next = request(
      { role: 'user', content: 'tools' },
      { role: 'assistant', content: '', toolCalls },
      ...outputs,
    );
    const second = await opened.call(next, (delta) => deltas.push(delta), never);
    expect(second).toMatchObject({
      text: 'output of call_1 and output of call_2',
      usage: { input_tokens: 3, output_tokens: 2 },
    });
    expect(deltas).toEqual([
      ...[{ kind: 'tool_call' }, { kind: 'tool_call' }],
      { kind: 'text', content: 'output of call_1 and output of call_2' },
    ]);
    opened.close();
  });

  it.each([
    ['other session', 'engine_other_session', true],
    ['throws', 'engine_broken', true],
    ['ends', 'engine_gone', true],
  ])('fails where the engine plays: %s', async (part, reason, retryable) => {
    await expect(askOnce(part)).rejects.toMatchObject({ reason, retryable });
  });

  it.each([
    ['went on without an output', 'diverges'],
    ['ended while it waited', 'leaves'],
  ])('begins anew where the engine %s', async (_case, part) => {
    const opened = open();
    const { toolCalls } = await ask(opened, part);
    expect(toolCalls).toMatchObject([{ callId: 'call_1' }]);
    const calls = toolCalls.map(({ callId: id, toolName: name }) => ({ id, name, arguments: '{}' }));
    const next = request(
      { role: 'user', content: part },
      { role: 'assistant', content: '', toolCalls: calls },
      { role: 'tool', toolCallId: 'call_1', content: 'of our own' },
    );
    // Its folder goes once the engine that left has ended.
    if (part === 'leaves')
      await waitFor(() => Promise.resolve(runFolders().length === 0), { description: 'the engine to end' });
    expect(await opened.call(next, () => undefined, never)).toMatchObject({
      text: 'Continue from where you left off.',
    });
    opened.close();
  });

  it('ends an engine at a stop, and gives its place up', async () => {
    const places = new EnginePlaces(1);
    const stop = new AbortController();
    const asked = askOnce('silent', { places }, stop.signal);
    stop.abort();
    await expect(asked).rejects.toMatchObject({ reason: 'engine_gone' });
    expect(await askOnce('next', { places })).toMatchObject({ text: 'next' });
  });

  it('leaves no process of its group, neither at its end nor where its program dies', async () => {
    const { text } = await askOnce('orphans');
    const opened = open();
    const { toolCalls } = await ask(opened, 'leaves a child');
    for (const pid of [text, toolCalls[0]?.callId].map(Number)) {
      expect(pid).toBeGreaterThan(0);
      await waitFor(() => Promise.resolve(!isAlive(pid)), { description: 'the process to end' });
    }
    opened.close();
  });

  it.each(['0.0.1', 'no release'])('refuses another release: %s', async (version) => {
    describeSdk(version);
    await expect(askOnce('hello')).rejects.toMatchObject({
      ...{ reason: 'engine_not_installed', retryable: false },
      message: expect.stringContaining('npm run claude:install') as unknown,
    });
    describeSdk(SDK_VERSION);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
