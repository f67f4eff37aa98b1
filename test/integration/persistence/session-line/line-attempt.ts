import {
  ModelPort,
  ToolInvoker,
  type LoopSignals,
  type ModelAnswer,
  type ModelRequest,
  type ToolAnswer,
} from '#libs/agent-core';
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
import { responsesParameters } from '#libs/payloads';
import { ExecutionContextStore, findCancelled, judgeDatabaseError } from '#libs/persistence';
import { ToolCatalogue, ToolSource } from '#libs/tooling';
import { v7 as uuid } from 'uuid';
import { postgresJournalOf } from '../../../contract/journal/postgres-journal-of.js';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { BASIC_CHAT_ONLY } from '../../../support/fakes/scripted-retriever.js';
import { NO_ATTACHMENTS } from '../../../support/fakes/no-attachments.js';
import { InMemoryEventStream } from '../../../support/fakes/in-memory-event-stream.js';
import { LeaseOfParent } from '../../../support/interleavings/interleaved-isolation.js';
import type { PersistenceWorld } from '../persistence-world.js';
import { BY_CHARACTERS } from '../../../support/builders/counted-model.js';

/** Longer than any history takes: whatever would act after so long, a history does itself. */
const LONG_MS = 10_000;

/**
 * One job in the hands of one worker: `RunExecution` itself on real stores, with a model that answers when the history says
 * so. It waits for its model, or it is over.
 */
export class LineAttempt {
  readonly drain = new AbortController();
  /** What its claim came to. */
  result: ClaimResult | null = null;
  isOver = false;
  isIsolated = false;
  /** Why its job failed. */
  error: unknown = null;
  private readonly leases: LeaseKeeper;
  private readonly model = new PatientModel();
  private readonly died = Promise.withResolvers<IsolationEnding>();
  private done: Promise<void> = Promise.resolve();

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

  /** Resolves when it waits for its model, or is over. */
  async start(executionId: string): Promise<void> {
    const { canIsolate: _asked, ...own } = this.options;
    const running = new RunExecution({
      ...this.dependencies(this.leases),
      newToken: uuid,
      isolation: { reserve: () => (this.options.canIsolate ? this.place() : null) },
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

  /** The model has nothing more to do. */
  answer(): Promise<void> {
    return this.act(() => this.model.answer(aModelAnswer({ text: 'well met' })));
  }

  /** The model asks for one more call, and is asked again with its outcome. */
  callTool(): Promise<void> {
    return this.act(() => this.model.answer(aModelAnswer({ toolCalls: [aCall('note', uuid())] })));
  }

  /** Its worker stops: it goes no further than the answer that it waits for. */
  stop(): Promise<void> {
    this.drain.abort();
    return this.callTool();
  }

  /** What it needs is away. */
  failByOutage(): Promise<void> {
    return this.act(() => this.model.fail(new AwayError()));
  }

  /** The process that it has for itself ends, and reports nothing. */
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

  private async untilNext(): Promise<void> {
    await Promise.race([this.model.untilAsked(), this.done]);
  }

  private place(): IsolationPlace {
    const run = async (...[claim, signals]: Parameters<IsolationPlace['run']>): Promise<IsolationEnding> => {
      this.isIsolated = true;
      return Promise.race([this.died.promise, this.runInside(claim, signals)]);
    };
    return { run, release: () => undefined };
  }

  /** As the program of an isolated attempt. */
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
        ...{ leaseMs: LONG_MS, clock: systemClock, judgeStorageError: judgeDatabaseError },
        wait: (ms) => pause(systemTimers, ms),
        onError: (error) => (this.error = error),
      }),
      contexts: new ExecutionContextStore(world.dataSource),
      tools: NOTES,
      invokerOf: () => new NoteTaker(),
      journalOf: (claim) => postgresJournalOf(world, claim),
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
      files: { list: () => Promise.resolve(null), open: () => Promise.resolve([]) },
      events: new InMemoryEventStream(),
      onTitlePending: () => undefined,
      messageData: { shownToModel: (data) => data },
      lookUps: new Map(),
      judgeStorageError: judgeDatabaseError,
      sha256: (text) => text,
      clock: systemClock,
      timers: NOTHING_LONG,
      random: () => 0,
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
      meter: NO_METER,
      patienceMs: LONG_MS,
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

/** Whose host does not answer for the moment. */
class AwayError extends AppError {
  constructor() {
    super({ code: 'AWAY', kind: 'unavailable', message: 'what it needs is away', retryable: true });
  }
}

/** Answers when somebody says so. */
class PatientModel extends ModelPort {
  private asked = Promise.withResolvers<undefined>();
  private answered = Promise.withResolvers<ModelAnswer>();

  override call(_request: ModelRequest, _onDelta: unknown, signal: AbortSignal): Promise<ModelAnswer> {
    const { promise } = this.answered;
    this.asked.resolve(undefined);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.forget();
        reject(new Error('given up'));
      };
      signal.addEventListener('abort', giveUp, { once: true });
      promise.then(resolve, reject);
    });
  }

  untilAsked(): Promise<undefined> {
    return this.asked.promise;
  }

  answer(answer: ModelAnswer): void {
    this.next().resolve(answer);
  }

  fail(error: Error): void {
    this.next().reject(error);
  }

  /** Nobody waits for the answer to this call any more. */
  forget(): void {
    this.next();
  }

  /** Whoever waits for the next call does not see this one. */
  private next(): PromiseWithResolvers<ModelAnswer> {
    const { answered } = this;
    this.answered = Promise.withResolvers<ModelAnswer>();
    this.asked = Promise.withResolvers<undefined>();
    return answered;
  }
}

class NoteTaker extends ToolInvoker {
  override invoke(): Promise<ToolAnswer> {
    return Promise.resolve({ outcome: { status: 'succeeded', output: 'noted', result: {} }, files: [] });
  }
}

/** That a call begins is stored before it does, so that a history knows what stands where. */
class NoteTools extends ToolSource {
  override load(): Promise<ToolCatalogue> {
    return Promise.resolve(new ToolCatalogue([aTool('note', { effect: 'idempotent' })]));
  }
}
const NOTES = new NoteTools();

/** The same claims; reports what each came to. */
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
