import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelDelta, ModelRequest, OpenedModel } from '#libs/agent-core';
import type { PromptMessage } from '#libs/payloads';
import { EnginePlaces, modelProviders, SDK_VERSION, type EngineSurroundings } from '#libs/model-providers';
import { programFile } from '../../../scripts/build/programs.ts';
import { STAND_IN } from '../../fixtures/claude-sdk.mjs';
import { connectionTo } from '../../support/services/open-model.js';
import { waitFor } from '../../support/services/wait-for.js';

const ROOT = join(import.meta.dirname, '../../..');
const never = new AbortController().signal;
const TOOL = { name: 'search', description: '', parameters: { type: 'object' }, strict: false };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'claude-sdk-'));
  copyFileSync(STAND_IN, join(folder, 'sdk.mjs'));
  describeSdk(SDK_VERSION);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function describeSdk(version: string): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
}

function connect(change: Partial<EngineSurroundings> & { timeoutMs?: number } = {}) {
  const { timeoutMs = 60_000, ...surroundings } = change;
  const asked = connectionTo({
    baseUrl: 'https://never.test',
    apiKey: 'sk-canary-0123456789abcdef',
    timeoutMs,
  });
  const connection = { ...asked, baseUrl: null };
  return modelProviders.get('claude_agent_sdk').connect(connection, {
    engine: {
      ...{ sdk: join(folder, 'sdk.mjs'), places: new EnginePlaces(2) },
      ...{ program: join(ROOT, programFile('claude-program')), ...surroundings },
    },
  });
}

function request(...messages: PromptMessage[]): ModelRequest {
  return { model: 'claude', messages, tools: [TOOL], parameters: {} };
}

const question = (content: string) => request({ role: 'user', content });
const ask = (model: Pick<OpenedModel, 'call'>, content: string, signal = never) =>
  model.call(question(content), () => undefined, signal);

function runFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`capstan-claude-${process.pid}-`));
}

describe('the engine of the Claude Agent SDK, with a stand-in for it', () => {
  it('gets a whole environment of its own, and leaves no folder', async () => {
    const { text } = await ask(connect(), 'options');
    const { env, own } = JSON.parse(text) as { env: Record<string, string>; own: string[] };
    expect(env).toMatchObject({ ANTHROPIC_API_KEY: 'sk-canary-0123456789abcdef' });
    expect([...Object.keys(env), ...own].filter((name) => /DOMAINS|DATABASE|JEST/.test(name))).toEqual([]);
    await waitFor(() => Promise.resolve(runFolders().length === 0), { description: 'the folder to go' });
  });

  it('takes up a conversation from its messages', async () => {
    const messages: PromptMessage[] = [
      { role: 'user', content: 'earlier' },
      { role: 'assistant', content: 'answer' },
      { role: 'user', content: 'options' },
    ];
    const { text } = await connect().call(request(...messages), () => undefined, never);
    expect((JSON.parse(text) as { earlier: object[] }).earlier).toMatchObject([
      { type: 'user', parentUuid: null },
      { type: 'assistant', message: { content: [{ type: 'text', text: 'answer' }] } },
    ]);
  });

  it('waits for the outputs of its calls, and goes on with them', async () => {
    const opened = connect().open?.() as OpenedModel;
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
    await expect(ask(connect(), part)).rejects.toMatchObject({ reason, retryable });
  });

  it.each([
    ['went on without an output', 'diverges'],
    ['ended while it waited', 'leaves'],
  ])('begins anew where the engine %s', async (_case, part) => {
    const opened = connect().open?.() as OpenedModel;
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

  it('ends an engine that takes too much memory', async () => {
    const model = connect({ mostRssBytes: 400_000_000 });
    await expect(ask(model, 'hungry')).rejects.toMatchObject({ reason: 'engine_out_of_memory' });
  });

  it('ends an engine that does not answer in time', async () => {
    await expect(ask(connect({ timeoutMs: 2_000 }), 'silent')).rejects.toMatchObject({
      reason: 'request_timeout',
    });
  });

  it('ends an engine at a stop, and gives its place up', async () => {
    const places = new EnginePlaces(1);
    const stop = new AbortController();
    const asked = ask(connect({ places }), 'silent', stop.signal);
    stop.abort();
    await expect(asked).rejects.toMatchObject({ reason: 'engine_gone' });
    expect(await ask(connect({ places }), 'next')).toMatchObject({ text: 'next' });
  });

  it('leaves no process of its group, neither at its end nor where its program dies', async () => {
    const { text } = await ask(connect(), 'orphans');
    const opened = connect().open?.() as OpenedModel;
    const { toolCalls } = await ask(opened, 'leaves a child');
    for (const pid of [text, toolCalls[0]?.callId].map(Number)) {
      expect(pid).toBeGreaterThan(0);
      await waitFor(() => Promise.resolve(!isAlive(pid)), { description: 'the process to end' });
    }
    opened.close();
  });

  it.each(['0.0.1', 'no release'])('refuses another release: %s', async (version) => {
    describeSdk(version);
    await expect(ask(connect(), 'hello')).rejects.toMatchObject({
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
