import type { Scheduler } from 'fast-check';
import { ForgetfulExecution } from './forgetful-execution.js';
import { InterleavedWorker, openJournal, type Surroundings } from './interleaved-worker.js';
import type { Effect } from './tool-ledger.js';
import { Whims, type Whim } from './whimsical-model.js';

export const HAPPENINGS = [
  'deliver',
  'lease_runs_out',
  'take_over',
  'renew',
  'cancel',
  'tell_of_cancel',
  'deadline',
  'drain',
  'kill',
  'kill_with_requests',
  'kill_child',
  'forget_claim',
  'requeue',
] as const;

/** An event beside the work, and the number of scheduler turns before it. */
export interface Happening {
  readonly after: number;
  readonly what: (typeof HAPPENINGS)[number];
}

/** `queued`: a job names the execution. The others are claimed by the accept; the message to the worker may be lost. */
export type HandOver = 'queued' | 'assigned' | 'unheard';

export interface Scenario {
  readonly handOver: HandOver;
  readonly whims: readonly Whim[];
  readonly happenings: readonly Happening[];
}

/** Parts that a test replaces to break a promise on purpose. */
export interface Breakage {
  readonly execution?: ForgetfulExecution;
  readonly openJournal?: Surroundings['openJournal'];
}

/** The token of a claim that the accept makes. */
const ASSIGNED = 'assigned';
/** The limit of claims; a correct run needs fewer. */
const MAX_RECONCILIATIONS = 20;

/** One execution and all events that can hit it, in the order that the scheduler chooses. */
export class InterleavedRun {
  readonly execution: ForgetfulExecution;
  readonly effects: Effect[] = [];
  readonly surprises: unknown[] = [];
  private readonly surroundings: Surroundings;
  private readonly workers: InterleavedWorker[] = [];
  private readonly jobs: Promise<void>[] = [];

  constructor(
    private readonly scheduler: Scheduler,
    whims: readonly Whim[],
    { execution = new ForgetfulExecution(), ...broken }: Breakage = {},
  ) {
    this.execution = execution;
    this.surroundings = {
      execution,
      effects: this.effects,
      surprises: this.surprises,
      whims: new Whims(whims),
      clock: { now: () => 0, monotonic: () => 0 },
      pause: async (label) => {
        await scheduler.schedule(Promise.resolve(), label);
      },
      openJournal,
      ...broken,
    };
  }

  static async play(scheduler: Scheduler, { handOver, whims, happenings }: Scenario, breakage?: Breakage) {
    const run = new InterleavedRun(scheduler, whims, breakage);
    run.begin(handOver);
    await scheduler.waitFor(run.happen(happenings));
    await run.reconcile();
    await scheduler.waitFor(Promise.all(run.jobs));
    await scheduler.waitIdle();
    return run;
  }

  private async happen(happenings: readonly Happening[]): Promise<void> {
    for (const { after, what } of happenings) {
      for (let turn = 0; turn <= after; turn += 1) await this.surroundings.pause('time passes');
      this.act(what);
    }
  }

  private act(what: Happening['what']): void {
    switch (what) {
      case 'deliver':
        return this.deliver();
      case 'lease_runs_out':
        this.execution.isLeaseOver = true;
        return;
      case 'take_over':
        this.execution.isLeaseOver = true;
        return this.deliver();
      case 'renew':
        for (const worker of this.workers) worker.renew();
        return;
      case 'cancel':
        this.execution.requestCancel();
        return;
      case 'tell_of_cancel':
        if (this.execution.isCancelRequested) for (const worker of this.workers) worker.stop('cancelled');
        return;
      case 'deadline':
        this.execution.isTimeUp = true;
        for (const worker of this.workers) worker.meetDeadline();
        return;
      case 'drain':
        for (const worker of this.workers) worker.drain.abort();
        return;
      case 'kill':
        this.workers.at(-1)?.die(false);
        return;
      case 'kill_with_requests':
        this.workers.at(-1)?.die(true);
        return;
      case 'kill_child':
        for (const worker of this.workers) worker.killChild();
        return;
      case 'forget_claim':
        this.execution.forgetClaim();
        return;
      case 'requeue':
        this.execution.requeue(ASSIGNED);
    }
  }

  /** The number of model calls by attempts that the database knows. */
  get modelCalls(): number {
    const { whims } = this.surroundings;
    return this.execution.forgotten.reduce((calls, token) => calls - whims.askedUnder(token), whims.asked);
  }

  private begin(handOver: HandOver): void {
    if (handOver === 'queued') return this.deliver();
    this.execution.assign(ASSIGNED);
    if (handOver === 'assigned') this.employ(ASSIGNED);
  }

  /** Sends a job for the execution; every other worker has no room to isolate a suspect. */
  private deliver(): void {
    this.execution.isDue = true;
    this.employ(null);
  }

  private employ(assigned: string | null): void {
    const worker = new InterleavedWorker(this.surroundings, this.workers.length % 2 === 0);
    this.workers.push(worker);
    this.jobs.push(worker.work(assigned));
  }

  /** Finds lost work: expires the lease and sends the execution again, until it has ended. */
  private async reconcile(): Promise<void> {
    for (let turn = 0; this.execution.status !== 'settled' && turn < MAX_RECONCILIATIONS; turn += 1) {
      this.execution.isLeaseOver = true;
      this.deliver();
      await this.scheduler.waitFor(this.jobs.at(-1) ?? Promise.resolve());
    }
  }
}
