import { type Journal, ToolInvoker, type LoopSignals, type ToolAnswer } from '#libs/agent-core';
import {
  AttachedRoom,
  BackgroundReleases,
  LeaseKeeper,
  NO_METER,
  RunExecution,
  runAttempt,
  type AttemptDependencies,
  type ClaimOptions,
  type ClaimResult,
  type ClaimStore,
  type IsolationEnding,
  type IsolationPlace,
  type LeaseHolder,
} from '#libs/executions';
import { AppError, pause, systemClock, systemTimers, type Timers } from '#libs/kernel';
import { responsesParameters } from '#libs/model-providers';
import { ExecutionContextStore, findCancelled, classifyDatabaseError } from '#libs/persistence';
import { ToolCatalogue, ToolSource } from '#libs/tooling';
import { v7 as uuid } from 'uuid';
import { postgresJournalOf } from '../../../contract/journal/postgres-journal-of.js';
import { NO_ASSIGNMENTS } from '../../../support/fakes/executions/no-assignments.js';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { BASIC_CHAT_ONLY } from '../../../support/fakes/scripted-retriever.js';
import { NO_ATTACHMENTS } from '../../../support/fakes/no-attachments.js';
import { NO_FILES } from '../../../support/fakes/no-files.js';
import { InMemoryEventStream } from '../../../support/fakes/in-memory-event-stream.js';
import { LeaseOfParent } from '../../../support/interleavings/interleaved-isolation.js';
import type { PersistenceWorld } from '../persistence-world.js';
import { PatientModel } from './patient-model.js';
import { BY_CHARACTERS } from '../../../support/builders/counted-model.js';

/** Longer than any history takes (ms): timers of this length never fire; commands of the history act in their place. */
const LONG_MS = 10_000;

/**
 * One job of one worker: the real `RunExecution` on real stores, with a model that answers on command of the history.
 * Between two commands, the attempt waits for its model or is over.
 */
export class LineAttempt {
  readonly drain = new AbortController();
  /** Result of the claim; null before the claim. */
  result: ClaimResult | null = null;
  isOver = false;
  isIsolated = false;
  /** Error with which the job failed; null if there was none. */
  error: unknown = null;
  private readonly leases: LeaseKeeper;
  private readonly model = new PatientModel();
  private readonly died = Promise.withResolvers<IsolationEnding>();
  private done: Promise<void> = Promise.resolve();
  /** Settles with the latest append. */
  private appending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly world: PersistenceWorld,
    private readonly claims: ClaimStore,
    readonly options: ClaimOptions,
  ) {
    const heartbeat = {
      renew: claims.renew.bind(claims),
      findCancelled: (ids: readonly string[]) => findCancelled(world.dataSource, ids),
    };
    this.leases = new LeaseKeeper(heartbeat, options.leaseMs, systemClock, NOTHING_LONG, () => undefined);
  }

  /** Starts the job; resolves when the attempt waits for its model or is over. */
  async start(executionId: string): Promise<void> {
    const { canIsolate: _asked, ...own } = this.options;
    const running = new RunExecution({
      ...this.dependencies(this.leases),
      newToken: uuid,
      assignments: NO_ASSIGNMENTS,
      isolation: {
        reserve: () => (this.options.canIsolate ? this.place() : null),
        prepare: () => undefined,
      },
      claimOptions: () => own,
      onEnded: () => undefined,
    });
    this.done = running
      .execute(executionId, this.drain.signal)
      .catch((error: unknown) => (this.error = error))
      .then(() => {
        this.isOver = true;
      });
    await this.untilNext();
  }

  /** The model answers without tool calls, which ends the turn. */
  answer(): Promise<void> {
    return this.act(() => this.model.answer(aModelAnswer({ text: 'well met' })));
  }

  /** The model asks for one more tool call, and is called again with the outcome. */
  callTool(): Promise<void> {
    return this.act(() => this.model.answer(aModelAnswer({ toolCalls: [aCall('note', uuid())] })));
  }

  /** Stops the worker: the attempt ends after the answer for which it waits. */
  stop(): Promise<void> {
    this.drain.abort();
    return this.callTool();
  }

  /** Fails the model call with a retryable outage. */
  failByOutage(): Promise<void> {
    return this.act(() => this.model.fail(new AwayError()));
  }

  /** Ends the attempt's isolated process without a report. */
  die(): Promise<void> {
    this.model.forget();
    return this.act(() => this.died.resolve('died'));
  }

  renew(): Promise<void> {
    return this.act(() => this.leases.renew());
  }

  learnOfCancellations(): Promise<void> {
    return this.act(() => this.leases.askForCancellations());
  }

  private async act(act: () => unknown): Promise<void> {
    await act();
    await this.untilNext();
  }

  /** The loop asks its model while the outcomes of calls are still being written: a history goes on once they are. */
  private async untilNext(): Promise<void> {
    await Promise.race([this.model.untilAsked(), this.done]);
    await this.appending;
  }

  private noteAppends(journal: Journal): Journal {
    const append = journal.append.bind(journal);
    journal.append = async (batch) => {
      const appended = append(batch);
      this.appending = Promise.allSettled([this.appending, appended]);
      await appended;
    };
    return journal;
  }

  private place(): IsolationPlace {
    const run = async (...[claim, signals]: Parameters<IsolationPlace['run']>): Promise<IsolationEnding> => {
      this.isIsolated = true;
      return Promise.race([this.died.promise, this.runInside(claim, signals)]);
    };
    return { run, release: () => undefined };
  }

  /** Runs the attempt as the program of an isolated process does. */
  private async runInside(
    claim: Parameters<IsolationPlace['run']>[0],
    { abort, drain }: LoopSignals,
  ): Promise<IsolationEnding> {
    const deps = this.dependencies(new LeaseOfParent(abort));
    await runAttempt(deps, claim, drain).catch((error: unknown) => (this.error = error));
    return 'done';
  }

  private dependencies(leases: LeaseHolder): AttemptDependencies {
    const { world, claims, model } = this;
    return {
      leases,
      claims: recording(claims, (result) => (this.result = result)),
      backgroundReleases: new BackgroundReleases({
        ...{ leaseMs: LONG_MS, clock: systemClock, classifyStorageError: classifyDatabaseError },
        wait: (ms) => pause(systemTimers, ms),
        onError: (error) => (this.error = error),
      }),
      contexts: new ExecutionContextStore(world.dataSource),
      tools: NOTES,
      invokerOf: () => new NoteTaker(),
      journalOf: (claim) => this.noteAppends(postgresJournalOf(world, claim)),
      toolSearch: LISTS_ALL,
      compileSchema: () => () => ({ success: false, reasons: ['nothing is compiled here'] }),
      models: {
        of: () => ({
          model,
          maxRetries: 0,
          prices: null,
          costOf: () => null,
          ...BY_CHARACTERS,
          parameters: responsesParameters,
        }),
      },
      usecases: BASIC_CHAT_ONLY,
      attachments: NO_ATTACHMENTS,
      attachedRoom: new AttachedRoom(Infinity),
      files: NO_FILES,
      events: new InMemoryEventStream(),
      onTitlePending: () => undefined,
      messageData: { shownToModel: (data) => data },
      lookUps: new Map(),
      classifyStorageError: classifyDatabaseError,
      sha256: (text) => text,
      clock: systemClock,
      timers: NOTHING_LONG,
      random: () => 0,
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
      meter: NO_METER,
      leaseGraceMs: LONG_MS,
    };
  }
}

const LISTS_ALL: AttemptDependencies['toolSearch'] = {
  mostListed: Infinity,
  indexTools: () => ({ rank: () => [], nearest: () => [] }),
};

const NOTHING_LONG: Timers = {
  after: (ms, act) => (ms >= LONG_MS / 50 ? () => undefined : systemTimers.after(ms, act)),
};

/** A retryable outage of the model's host. */
class AwayError extends AppError {
  constructor() {
    super({ code: 'AWAY', kind: 'unavailable', message: 'what it needs is away', retryable: true });
  }
}

class NoteTaker extends ToolInvoker {
  override invoke(): Promise<ToolAnswer> {
    return Promise.resolve({ outcome: { status: 'succeeded', output: 'noted', result: {} }, files: [] });
  }
}

/** An idempotent tool: the start of a call is durable before the call begins, so that a history knows the journal. */
class NoteTools extends ToolSource {
  override load(): Promise<ToolCatalogue> {
    return Promise.resolve(new ToolCatalogue([aTool('note', { effect: 'idempotent' })]));
  }
}
const NOTES = new NoteTools();

/** Wraps the claims to report the result of each `claim`. */
function recording(claims: ClaimStore, onClaim: (result: ClaimResult) => void): ClaimStore {
  return {
    claim: async (...call) => {
      const result = await claims.claim(...call);
      onClaim(result);
      return result;
    },
    renew: claims.renew.bind(claims),
    isCurrent: claims.isCurrent.bind(claims),
    release: claims.release.bind(claims),
    requeueWithBackoff: claims.requeueWithBackoff.bind(claims),
    requeueCutOff: claims.requeueCutOff.bind(claims),
    postpone: claims.postpone.bind(claims),
    begin: claims.begin.bind(claims),
    showWait: claims.showWait.bind(claims),
    recordIsolatedDeath: claims.recordIsolatedDeath.bind(claims),
  };
}
