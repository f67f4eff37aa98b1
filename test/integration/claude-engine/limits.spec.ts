import { describe, expect, it } from '@jest/globals';
import { ModelHostUnavailableError, type ModelCallError } from '#libs/agent-core';
import { AuditLog, ENGINE_OPEN_FILES, EnginePlaces, ModelHosts } from '#libs/model-providers';
import { startSimulator } from '../../../apps/simulator/src/simulator.js';
import { waitFor } from '../../support/services/wait-for.js';
import { ask, askOnce, connect, never, open, question, runFolders, useStandIn } from './stand-in.js';

useStandIn();

const untilNoneRuns = () =>
  waitFor(() => runFolders().length === 0, { description: 'earlier engines to end' });

describe('the worker of an engine', () => {
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

  it('knows since when an engine has been silent that does not answer in time', async () => {
    let heardAt = Infinity;
    const opened = open({ timeoutMs: 3_000 });
    const noteTime = (): void => {
      heardAt = performance.now();
    };
    const error: unknown = await opened
      .call(question('falls silent'), noteTime, never)
      .catch((thrown: unknown) => thrown);
    const mostSilence = Math.ceil(performance.now() - heardAt);
    opened.close();
    expect(error).toMatchObject({ reason: 'request_timeout' });
    expect((error as ModelCallError).details.silenceMs).toBeLessThanOrEqual(mostSilence);
  });

  it('leaves the end of an execution to its signal, so that no try fails just before it', async () => {
    const deadline = new AbortController();
    const opened = open({ timeoutMs: 60_000 });
    const limits = { remainingMs: 1, isLastTry: false, isFollowed: true };
    const asked = opened.call(question('falls silent'), () => deadline.abort(), deadline.signal, limits);
    await expect(asked).rejects.toMatchObject({ reason: 'engine_gone' });
    opened.close();
  });

  it('lets an engine open so many files', async () => {
    const count = Number((await askOnce('opens files')).text);
    expect(count).toBeLessThan(ENGINE_OPEN_FILES);
    expect(count).toBeGreaterThan(ENGINE_OPEN_FILES / 2);
  });

  it('starts none where the process starts no engines', async () => {
    await untilNoneRuns();
    const elsewhere = askOnce('hello', { startsEngines: false });
    await expect(elsewhere).rejects.toMatchObject({
      ...{ reason: 'engine_elsewhere', retryable: false },
      message: expect.stringContaining('WORKER_ENGINE_RUNS is none') as unknown,
    });
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
    await untilNoneRuns();
    // No process is started for a call that is refused.
    const refused = away();
    expect(runFolders()).toEqual([]);
    expect(await refused).toBeInstanceOf(ModelHostUnavailableError);
  });

  it('asks the breaker of the host only once a place is free', async () => {
    const hosts = new CountingHosts();
    const places = new EnginePlaces(1);
    const working = { isIdle: false, end: () => undefined };
    await places.take(working, never);
    const asked = askOnce('hello', { places, hosts });
    expect(hosts.asked).toBe(0);
    places.release(working);
    expect(await asked).toMatchObject({ text: 'hello' });
    expect(hosts.asked).toBe(1);
  });

  it('gives the place up where the host is not asked', async () => {
    const places = new EnginePlaces(1);
    const refused = open({ places, hosts: new RefusingHosts() });
    await expect(ask(refused, 'hello')).rejects.toBeInstanceOf(ModelHostUnavailableError);
    const stop = new AbortController();
    const taken = places.take({ isIdle: false, end: () => undefined }, stop.signal);
    stop.abort();
    refused.close();
    expect(await taken).toBe(true);
  });
});

class CountingHosts extends ModelHosts {
  asked = 0;
  override begin(...call: Parameters<ModelHosts['begin']>): ReturnType<ModelHosts['begin']> {
    this.asked += 1;
    return super.begin(...call);
  }
}

class RefusingHosts extends ModelHosts {
  override begin(): never {
    throw new ModelHostUnavailableError(1_000);
  }
}
