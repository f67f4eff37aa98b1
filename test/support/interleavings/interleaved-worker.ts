import {
  EventSink,
  LeaseLostError,
  NO_AGENTS,
  PlainReporter,
  runAgentLoop,
  settleFailed,
  type FailureDetails,
  type Journal,
  type LoopPorts,
  type StopReason,
} from '#libs/agent-core';
import type { Clock } from '#libs/kernel';
import { anExecutionContext } from '../builders/execution-context.js';
import { InMemoryJournal, WorkerDied } from '../fakes/in-memory-journal.js';
import { rulesOf } from '../fakes/loop-world.js';
import type { ContendedClaim, ContendedExecution } from './contended-execution.js';
import { ProcessLine, type Pause } from './process-line.js';
import { RemoteJournal } from './remote-journal.js';
import { EFFECTS, RemoteTools, type Effect } from './tool-ledger.js';
import { RemoteModel, type Whims } from './whimsical-model.js';

/** What all workers share. */
export interface Surroundings {
  readonly execution: ContendedExecution;
  readonly effects: Effect[];
  readonly whims: Whims;
  readonly clock: Clock;
  readonly pause: Pause;
  /** Attempts that broke off for a reason that nobody foresaw. */
  readonly surprises: unknown[];
  /** What is between a worker and the store, to break it on purpose. */
  readonly openJournal: (execution: ContendedExecution, claim: ContendedClaim) => Journal;
}

export const openJournal: Surroundings['openJournal'] = (execution, claim) =>
  new InMemoryJournal(execution, claim);

/** One job in the hands of one process, from its delivery to its end: what `RunExecution` does, without the I/O. */
export class InterleavedWorker {
  readonly drain = new AbortController();
  private readonly abort = new AbortController();
  private readonly line: ProcessLine;
  private claim: ContendedClaim | null = null;

  constructor(private readonly to: Surroundings) {
    this.line = new ProcessLine(to.pause);
  }

  async work(): Promise<void> {
    try {
      this.claim = await this.line.ask('claim', () => this.to.execution.take());
      if (this.claim) await this.attempt(this.claim);
    } catch (error) {
      if (!(error instanceof WorkerDied)) throw error;
    }
  }

  stop(reason: StopReason): void {
    this.abort.abort(reason);
  }

  /** The clock of an attempt runs from its claim. */
  meetDeadline(): void {
    if (this.claim) this.stop('deadline');
  }

  die(): void {
    this.line.isDead = true;
  }

  /** As the `LeaseKeeper`: who learns that the lease is gone gives up. */
  renew(): void {
    if (this.claim && !this.line.isDead && !this.to.execution.renew(this.claim)) this.stop('lease_lost');
  }

  private async attempt(claim: ContendedClaim): Promise<void> {
    const { execution } = this.to;
    const journal = new RemoteJournal(this.to.openJournal(execution, claim), this.line);
    try {
      if (claim.isPoisoned) await settleFailed(journal, rulesOf(), POISONED, lostModel(claim), isDeath);
      else await this.turnLoop(claim, journal);
    } catch (error) {
      if (error instanceof LeaseLostError || error instanceof WorkerDied) return;
      this.to.surprises.push(error);
      await settleFailed(journal, rulesOf(), INTERNAL, null, isDeath).catch(() => undefined);
    }
  }

  private async turnLoop(claim: ContendedClaim, journal: Journal): Promise<void> {
    if (claim.isCancelled) this.stop('cancelled');
    else if (claim.isLate) this.stop('deadline');
    const { attempt, epoch, followsLostAttempt } = claim;
    const context = anExecutionContext({ attempt, epoch, followsLostAttempt });
    const signals = { drain: this.drain.signal, abort: this.abort.signal };
    const result = await runAgentLoop(context, this.rules(), this.ports(claim, journal), signals);
    const isLost = this.abort.signal.reason === ('lease_lost' satisfies StopReason);
    if (result.kind === 'interrupted' && !isLost)
      await this.line.ask('release', () => this.to.execution.release(claim));
  }

  private rules() {
    return rulesOf({
      maximumIterations: 4,
      judge: (call) => {
        const effect = EFFECTS[call.toolName];
        return effect
          ? { kind: 'run', effect, input: JSON.parse(call.arguments) as object as { serial: number } }
          : { kind: 'refuse', reason: 'unknown_tool', output: 'no such tool' };
      },
    });
  }

  private ports({ epoch, attempt }: ContendedClaim, journal: Journal): LoopPorts {
    const { execution, effects, whims, clock, pause } = this.to;
    const isAnnounced = (key: string): boolean =>
      execution.facts.some(
        ({ entry }) => entry.kind === 'tool_call_started' && `${entry.round}.${entry.position}` === key,
      );
    return {
      journal,
      model: new RemoteModel(whims, this.line),
      tools: new RemoteTools(effects, this.line, epoch, isAnnounced),
      events: SILENT,
      reporter: new PlainReporter(SILENT, attempt),
      scopes: NO_AGENTS,
      clock,
      wait: () => pause('wait before a retry'),
      remainingMs: () => 300_000,
      random: () => 0,
    };
  }
}

class SilentSink extends EventSink {
  override emit(): void {
    // Nobody listens.
  }

  override flush(): Promise<void> {
    return Promise.resolve();
  }
}
const SILENT = new SilentSink();

const POISONED: FailureDetails = { code: 'POISONED', message: 'given up' };
const INTERNAL: FailureDetails = { code: 'INTERNAL_ERROR', message: 'an internal error' };

function lostModel({ followsLostAttempt }: ContendedClaim): string | null {
  return followsLostAttempt ? 'a-model' : null;
}

function isDeath(error: unknown): boolean {
  return error instanceof WorkerDied;
}
