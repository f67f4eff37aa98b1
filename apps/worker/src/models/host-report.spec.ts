import { describe, expect, it } from '@jest/globals';
import { ModelCallError } from '#libs/agent-core';
import { ModelHosts } from '#libs/model-providers';
import { WorkerPresence, type ShownHost } from '#libs/persistence';
import { pino } from 'pino';
import { HostReport } from './host-report.js';

const SILENT = new ModelCallError({
  ...{ reason: 'first_byte_timeout', message: 'x', retryable: true, details: { silenceMs: 60_000 } },
});

/** A presence that records what is shown, and takes it when the test says so. */
class RecordingPresence extends WorkerPresence {
  readonly shown: (readonly ShownHost[])[] = [];
  readonly takes: (() => void)[] = [];
  readonly returns: (() => void)[] = [];
  isHere = true;

  constructor() {
    const limits = { places: 1, answerWithinMs: 1_000, onError: () => undefined };
    super({ databaseUrl: '', processName: 'w', ...limits });
  }

  override get isPresent(): boolean {
    return this.isHere;
  }

  override onReturn(listener: () => void): void {
    this.returns.push(listener);
  }

  override showHosts(hosts: readonly ShownHost[]): Promise<void> {
    this.shown.push(hosts);
    return new Promise((resolve) => this.takes.push(resolve));
  }
}

function setUp() {
  const hosts = new ModelHosts(() => 0);
  const presence = new RecordingPresence();
  new HostReport(hosts, presence, pino({ level: 'silent' }));
  const fail = (host: string) => void hosts.begin(`https://${host}/v1`, 'A').failed(SILENT);
  const namesShown = () => presence.shown.map((shown) => shown.map(({ host }) => host));
  return { presence, fail, namesShown };
}

/** Resolves once all continuations that are due have run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the report of model hosts', () => {
  it('writes one state at a time, and all changes in between by the next', async () => {
    const { presence, fail, namesShown } = setUp();
    fail('a.example');
    fail('b.example');
    fail('c.example');
    expect(namesShown()).toEqual([['a.example']]);
    presence.takes.shift()?.();
    await settled();
    expect(namesShown()).toEqual([['a.example'], ['a.example', 'b.example', 'c.example']]);
    presence.takes.shift()?.();
    await settled();
    expect(presence.shown).toHaveLength(2);
  });

  it('waits for the presence, and has the end of a pause as a time', () => {
    const { presence, fail } = setUp();
    presence.isHere = false;
    for (let count = 0; count < 5; count += 1) fail('a.example');
    expect(presence.shown).toEqual([]);
    presence.isHere = true;
    for (const listener of presence.returns) listener();
    expect(presence.shown).toEqual([
      [
        {
          ...{ host: 'a.example', failures: 5, breaker: 'open' },
          paused_until: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        },
      ],
    ]);
  });
});
