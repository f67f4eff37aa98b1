import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ModelHostUnavailableError,
  type ModelDelta,
  type ModelRequest,
  type OpenedModel,
} from '#libs/agent-core';
import type { PromptMessage } from '#libs/payloads';
import {
  AuditLog,
  EnginePlaces,
  ModelHosts,
  modelProviders,
  SDK_VERSION,
  type CallSurroundings,
  type EngineSurroundings,
} from '#libs/model-providers';
import { startSimulator } from '../../../apps/simulator/src/simulator.js';
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

const KEY = 'sk-canary-0123456789abcdef';

interface Change extends Partial<EngineSurroundings>, Pick<CallSurroundings, 'audit' | 'hosts'> {
  readonly timeoutMs?: number;
  readonly baseUrl?: string;
}

function connect({ timeoutMs = 60_000, baseUrl, audit, hosts, ...surroundings }: Change = {}) {
  const asked = connectionTo({ baseUrl: 'https://never.test', apiKey: KEY, timeoutMs });
  const connection = { ...asked, baseUrl: baseUrl ?? null };
  return modelProviders.get('claude_agent_sdk').connect(connection, {
    ...(audit && { audit }),
    ...(hosts && { hosts }),
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

/** Asks an engine that ends with its answer. */
async function askOnce(content: string, change: Change = {}, signal = never) {
  const opened = connect(change).open?.() as OpenedModel;
  try {
    return await ask(opened, content, signal);
  } finally {
    opened.close();
  }
}

function runFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`capstan-claude-${process.pid}-`));
}

describe('the engine of the Claude Agent SDK, with a stand-in for it', () => {
  it('gets a whole environment of its own, and leaves no folder', async () => {
    const { text } = await askOnce('options');
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
    const opened = connect().open?.() as OpenedModel;
    const { text } = await opened.call(request(...messages), () => undefined, never);
    opened.close();
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
    await expect(askOnce(part)).rejects.toMatchObject({ reason, retryable });
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
    const hungry = askOnce('hungry', { mostRssBytes: 400_000_000 });
    await expect(hungry).rejects.toMatchObject({ reason: 'engine_out_of_memory' });
  });

  it.each([
    ['bytes', { bytes: 1_000, files: 10 }],
    ['files', { bytes: 1_000_000, files: 0 }],
  ])('ends an engine that writes too many %s', async (_what, mostFiles) => {
    const greedy = askOnce('writes', { mostFiles });
    await expect(greedy).rejects.toMatchObject({ reason: 'engine_out_of_disk' });
  });

  it('ends an engine that does not answer in time', async () => {
    await expect(askOnce('silent', { timeoutMs: 2_000 })).rejects.toMatchObject({
      ...{ reason: 'request_timeout', details: { silenceMs: 2_000 } },
    });
  });

  it('starts none where the process starts no engines', async () => {
    const elsewhere = askOnce('hello', { startsEngines: false });
    await expect(elsewhere).rejects.toMatchObject({ reason: 'engine_elsewhere', retryable: false });
    expect(runFolders()).toEqual([]);
  });

  it('asks its provider without an engine outside of a conversation (S4-42)', async () => {
    const simulator = await startSimulator();
    try {
      const direct = connect({ baseUrl: new URL(simulator.url).origin, startsEngines: false });
      const asked = { ...question('hello'), model: 'sim-echo', tools: [] };
      expect(await direct.call(asked, () => undefined, never)).toMatchObject({ text: 'hello' });
    } finally {
      await simulator.close();
    }
  });

  it('writes lines of the audit log, without prompt and key', async () => {
    const lines: string[] = [];
    const audit = new AuditLog({ enabled: true, write: (line) => lines.push(line) });
    await askOnce('hello', { audit });
    await expect(askOnce('throws', { audit })).rejects.toThrow();
    const written = lines.map((line) => JSON.parse(line.slice('openai_gpt5_audit '.length)) as object);
    expect(written).toMatchObject([
      { event: 'claude_agent_sdk_request', base_url_host: 'api.anthropic.com', tool_count: 1 },
      { event: 'claude_agent_sdk_success' },
      { event: 'claude_agent_sdk_request' },
      { event: 'claude_agent_sdk_error', error_type: 'engine_broken' },
    ]);
    expect(lines.join()).not.toMatch(/hello|canary/);
  });

  it('pauses at a host that is not reached, and at none for failures of its own', async () => {
    const hosts = new ModelHosts(() => 0);
    await expect(askOnce('ends', { hosts })).rejects.toMatchObject({ reason: 'engine_gone' });
    expect(hosts.list()).toEqual([]);
    const away = () => askOnce('no connection', { hosts }).catch((error: unknown) => error);
    const first = await away();
    expect(first).toMatchObject({ reason: 'connection_failed', retryable: true });
    for (let count = 2; count < 5; count += 1) await away();
    expect(await away()).toBeInstanceOf(ModelHostUnavailableError);
    expect(hosts.list()).toMatchObject([{ host: 'api.anthropic.com', failures: 5, breaker: 'open' }]);
    await waitFor(() => runFolders().length === 0, { description: 'the folders to go' });
    // No process is started for a call that is refused.
    const refused = away();
    expect(runFolders()).toEqual([]);
    expect(await refused).toBeInstanceOf(ModelHostUnavailableError);
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
