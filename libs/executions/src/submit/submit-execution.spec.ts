import { describe, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import type { Measurement } from '../ports/execution-meter.js';
import type { Acceptance, Submission } from '../ports/acceptance-store.js';
import { AcceptanceStore } from '../ports/acceptance-store.js';
import { BacklogGauge } from './backlog-gauge.js';
import { SubmitExecution, type SubmitCommand } from './submit-execution.js';

const SESSION = '0190a000-0000-7000-8000-0000000000aa';
const VIEW = { id: 'the accepted one' } as ExecutionView;
const ACCEPTED: Acceptance = { kind: 'accepted', view: VIEW, isDispatched: false, isAssigned: false };
const BUSY: Acceptance = { kind: 'session_busy' };

/** A world in which only waiting takes time; the conversation becomes free at `freeAt` milliseconds. */
class SubmitWorld extends AcceptanceStore {
  now = 0;
  freeAt = 0;
  answer: Acceptance = ACCEPTED;
  /** Log of all actions, in order. */
  readonly log: string[] = [];
  readonly submissions: Submission[] = [];
  readonly measured: Measurement[] = [];
  private ids = 0;

  override findEarlier(): Promise<null> {
    return Promise.resolve(null);
  }

  override accept(submission: Submission): Promise<Acceptance> {
    this.log.push('accept');
    this.submissions.push(submission);
    return Promise.resolve(this.answer);
  }

  override acceptIfFree(submission: Submission): Promise<Acceptance> {
    return this.now < this.freeAt ? Promise.resolve(BUSY) : this.accept(submission);
  }

  override flush(executionId: string): Promise<void> {
    this.log.push(`flush ${executionId}`);
    return Promise.resolve();
  }

  submit(request: Partial<SubmitCommand['request']> = {}): ReturnType<SubmitExecution['execute']> {
    const deps = {
      acceptances: this,
      cancellations: {
        requestBefore: (tenantId: string, executionId: string) => {
          this.log.push(`cancel before ${tenantId} ${executionId}`);
          return Promise.resolve(2);
        },
      },
      executions: { find: () => Promise.resolve(VIEW) },
      dispatcher: { trigger: () => void this.log.push('dispatch') },
      acceptedSender: { send: (executionId: string) => void this.log.push(`send ${executionId}`) },
      backlog: new BacklogGauge(() => Promise.resolve(new Map()), { monotonic: () => 0 }),
      limits: { queued: 100, tenantQueued: 100, tenantWaitMs: 100 },
      meter: { record: (measurement: Measurement) => void this.measured.push(measurement) },
      clock: { monotonic: () => this.now },
      timers: {
        after: (ms: number, act: () => void) => {
          this.now += ms;
          queueMicrotask(act);
          return () => undefined;
        },
      },
      ids: { next: () => `id ${(this.ids += 1)}` },
      sealToken: ({ tenantId, executionId }: { tenantId: string; executionId: string }, name: string) =>
        `${name} sealed to ${tenantId} ${executionId}`,
      sealWebhookSecret: (tenantId: string) => `secret sealed to ${tenantId}`,
    };
    return new SubmitExecution(deps).execute(
      {
        tenantId: 'acme',
        agentId: 3,
        request: { input: 'hello', options: {}, additional_data: {}, metadata: {}, ...request },
        idempotency: null,
      },
      { mostQueued: null, checkedBy: null },
    );
  }
}

describe('submitting an execution', () => {
  it('stores it and then has it sent to a worker (S3-8)', async () => {
    const world = new SubmitWorld();
    expect(await world.submit()).toEqual({ kind: 'submitted', view: VIEW, isReplayed: false });
    expect(world.log).toEqual(['accept', 'dispatch', 'flush the accepted one']);
  });

  it('sends nothing of what was not accepted (S3-8)', async () => {
    const world = new SubmitWorld();
    world.answer = { kind: 'session_not_found' };
    expect(await world.submit({ session_uuid: SESSION })).toEqual({ kind: 'session_not_found' });
    expect(world.log).toEqual(['accept']);
  });

  it('sends its job at once where it was accepted as sent, while the disk writes (S3-8)', async () => {
    const world = new SubmitWorld();
    world.answer = { ...ACCEPTED, isDispatched: true };
    await world.submit();
    expect(world.log).toEqual(['accept', 'send the accepted one', 'flush the accepted one']);
  });

  it('sends nothing of one that is handed to a worker directly', async () => {
    const world = new SubmitWorld();
    world.answer = { ...ACCEPTED, isAssigned: true };
    await world.submit();
    expect(world.log).toEqual(['accept', 'flush the accepted one']);
  });

  it('keeps the names of tokens with the request, and their secrets nowhere but sealed to the execution (S4-1)', async () => {
    const world = new SubmitWorld();
    await world.submit({ tokens: { crm: 'canary-1', mail: 'canary-2' } });
    const [submission] = world.submissions;
    expect(submission?.request).toMatchObject({ input: 'hello', token_names: ['crm', 'mail'] });
    expect(submission?.tokens).toEqual([
      { name: 'crm', sealed: 'crm sealed to acme id 1' },
      { name: 'mail', sealed: 'mail sealed to acme id 1' },
    ]);
    expect(submission?.executionId).toBe('id 1');
    expect(JSON.stringify(world.submissions)).not.toContain('canary');
    await world.submit({ tokens: {} });
    expect(world.submissions[1]?.request).not.toHaveProperty('token_names');
  });

  it('adds a sealed secret to a webhook, and none without one', async () => {
    const world = new SubmitWorld();
    const webhook = { url: 'https://example.org/hook', events: ['execution.completed' as const] };
    await world.submit({ webhook });
    await world.submit();
    expect(world.submissions.map((submission) => submission.webhook)).toEqual([
      { ...webhook, firstSecretSealed: 'secret sealed to acme' },
      null,
    ]);
    expect(world.submissions[0]?.request).not.toHaveProperty('webhook');
  });

  it('promises nothing that the disk does not have: not of a new one, not of an earlier one (S3-8)', async () => {
    const world = new SubmitWorld();
    world.flush = () => Promise.reject(new Error('the disk is away'));
    await expect(world.submit()).rejects.toThrow('the disk is away');
    world.answer = { kind: 'replayed', executionId: VIEW.id };
    await expect(world.submit()).rejects.toThrow('the disk is away');
  });

  it('begins a session of the agent where none is named (S3-10)', async () => {
    const world = new SubmitWorld();
    await world.submit();
    const [submission] = world.submissions;
    expect(submission).toMatchObject({ tenantId: 'acme', agentId: 3, sessionId: null });
    expect(submission?.newSessionId).not.toBe(submission?.executionId);
  });

  it('goes on with the session that is named (S3-10)', async () => {
    const world = new SubmitWorld();
    await world.submit({ session_uuid: SESSION });
    expect(world.submissions).toMatchObject([{ sessionId: SESSION }]);
  });

  it('keeps who it is for and which skills are preferred, for the worker (S4-1)', async () => {
    const world = new SubmitWorld();
    const asked = {
      executor: { user_id: 'u7', name: 'Mara', email: 'm@example.com', employee_id: 'e9' },
      preferred_skills: ['refunds'],
    };
    await world.submit({ ...asked, metadata: { order: '7' } });
    expect(world.submissions[0]).toMatchObject({ request: asked, metadata: { order: '7' } });
  });
});

describe('a busy conversation', () => {
  it.each([[{}], [{ on_conflict: 'enqueue' as const }]])(
    'is waited for in line: %j (S4-3)',
    async (request) => {
      const world = new SubmitWorld();
      world.freeAt = Infinity;
      expect(await world.submit({ session_uuid: SESSION, ...request })).toMatchObject({ kind: 'submitted' });
      expect(world.log).toEqual(['accept', 'dispatch', 'flush the accepted one']);
      expect(world.now).toBe(0);
    },
  );

  it('is cleared by an accepted turn that interrupts it, of the turns before that one (S4-3)', async () => {
    const world = new SubmitWorld();
    await world.submit({ session_uuid: SESSION, on_conflict: 'interrupt' });
    expect(world.log).toEqual(['accept', 'cancel before acme id 1', 'dispatch', 'flush the accepted one']);
    const unstarted = { kind: 'settled', status: 'cancelled', waitSeconds: null };
    expect(world.measured).toMatchObject([unstarted, unstarted]);
  });

  it.each<[Acceptance, string[]]>([
    [{ kind: 'no_room', of: 'tenant' }, ['accept']],
    [{ kind: 'session_archived' }, ['accept']],
    [
      { kind: 'replayed', executionId: VIEW.id },
      ['accept', `cancel before acme ${VIEW.id}`, `flush ${VIEW.id}`],
    ],
  ])(
    'is cleared by no refused turn, and by a repeated one as by the first: %j (S4-3)',
    async (answer, log) => {
      const world = new SubmitWorld();
      world.answer = answer;
      await world.submit({ session_uuid: SESSION, on_conflict: 'interrupt' });
      expect(world.log).toEqual(log);
    },
  );

  it.each([
    [4_900, 'submitted'],
    [5_000, 'submitted'],
    [5_001, 'session_busy'],
  ])('free after %i ms is, for the policy reject: %s (S4-3)', async (freeAt, kind) => {
    const world = new SubmitWorld();
    world.freeAt = freeAt;
    expect(await world.submit({ session_uuid: SESSION, on_conflict: 'reject' })).toMatchObject({ kind });
    expect(world.now).toBeLessThanOrEqual(5_000);
  });

  it('is nothing that a new one has to wait for (S4-3)', async () => {
    const world = new SubmitWorld();
    world.freeAt = Infinity;
    expect(await world.submit({ on_conflict: 'reject' })).toMatchObject({ kind: 'submitted' });
  });
});
