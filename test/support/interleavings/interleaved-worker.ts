import {
  AttachedRoom,
  BackgroundReleases,
  LeaseHolder,
  NO_METER,
  RunExecution,
  type AttemptDependencies,
  type Claim,
  type ClaimOptions,
  type RunExecutionDependencies,
  type StoredContext,
} from '#libs/executions';
import type { InMemoryClaim } from '#libs/kit-testing';
import { callName, ROOT, type Journal, type StopReason } from '#libs/agent-core';
import { responsesParameters } from '#libs/model-providers';
import { pause, type Clock, type Timers } from '#libs/kernel';
import { ToolCatalogue, ToolSource, type OpenedScope, type ToolDefinition } from '#libs/tooling';
import { z } from 'zod';
import type { ContendedExecution } from '../fakes/executions/contended-execution.js';
import { InMemoryClaims } from '../fakes/executions/in-memory-claims.js';
import { InMemoryExecutions } from '../fakes/executions/in-memory-executions.js';
import { aStoredContext } from '../builders/stored-context.js';
import { aTool } from '../builders/tool.js';
import { BASIC_CHAT_ONLY } from '../fakes/scripted-retriever.js';
import { NO_ATTACHMENTS } from '../fakes/no-attachments.js';
import { NO_FILES } from '../fakes/no-files.js';
import { InMemoryEventStream } from '../fakes/in-memory-event-stream.js';
import { InMemoryJournal, WorkerDied } from '../fakes/in-memory-journal.js';
import { InterleavedIsolation } from './interleaved-isolation.js';
import { ProcessLine, type Pause } from './process-line.js';
import { remoteAssignments, remoteClaims } from './remote-claims.js';
import { RemoteJournal } from './remote-journal.js';
import { AGENT_TOOL, EFFECTS, RemoteTools, type Effect } from './tool-ledger.js';
import { RemoteModel, type Whims } from './whimsical-model.js';
import { BY_CHARACTERS } from '../builders/counted-model.js';

/** The state that all workers share. */
export interface Surroundings {
  readonly execution: ContendedExecution;
  readonly effects: Effect[];
  readonly whims: Whims;
  readonly clock: Clock;
  readonly pause: Pause;
  /** The unexpected errors that broke off attempts. */
  readonly surprises: unknown[];
  /** Opens the journal of a claim; a test replaces it to break a promise on purpose. */
  readonly openJournal: (execution: ContendedExecution, claim: InMemoryClaim) => Journal;
}

export const openJournal: Surroundings['openJournal'] = (execution, claim) =>
  new InMemoryJournal(execution, claim);

/** Timers from this length on are deadlines, which end when the scenario says so. */
const LONG_MS = 60_000;

/** One job in one process, from its delivery to its end: `RunExecution` itself, with ports at the end of a line. */
export class InterleavedWorker {
  readonly drain = new AbortController();
  private readonly line: ProcessLine;
  private readonly leases = new HeldLeases();
  private readonly isolation: InterleavedIsolation;
  private deadlines: (() => void)[] = [];

  constructor(
    private readonly surroundings: Surroundings,
    canIsolate: boolean,
  ) {
    this.line = new ProcessLine(surroundings.pause);
    const touches = (line: ProcessLine, leases: LeaseHolder) => this.attemptDependencies(line, leases);
    this.isolation = new InterleavedIsolation(this.line, surroundings.pause, touches, canIsolate);
  }

  /** @param assigned token of the claim that the API has made for this worker; null to claim */
  async work(assigned: string | null = null): Promise<void> {
    try {
      const run = new RunExecution(this.dependencies());
      await run.execute('in memory', this.drain.signal, {}, assigned);
    } catch (error) {
      if (!(error instanceof WorkerDied)) this.surroundings.surprises.push(error);
    }
  }

  stop(reason: StopReason): void {
    this.leases.stop(reason);
  }

  /** Fires the deadlines, because the time of an attempt runs from its claim. */
  meetDeadline(): void {
    for (const act of this.deadlines) act();
  }

  /** @param losesRequests whether requests in transit are lost, such as an append that is not awaited */
  die(losesRequests: boolean): void {
    this.line.isDead = true;
    this.line.losesRequests = losesRequests;
    this.isolation.killChild();
  }

  killChild(): void {
    this.isolation.killChild();
  }

  /** Renews the lease as the `LeaseKeeper` does: a worker that has lost it stops. */
  renew(): void {
    const { claim } = this.leases;
    if (claim && !this.line.isDead && !this.surroundings.execution.renew(claim)) this.stop('lease_lost');
  }

  private dependencies(): RunExecutionDependencies {
    return {
      ...this.attemptDependencies(this.line, this.leases),
      newToken: () => `claim ${(tokens += 1)}`,
      assignments: remoteAssignments(this.surroundings.execution, this.line),
      isolation: this.isolation,
      claimOptions: () => CLAIM_OPTIONS,
      onEnded: () => undefined,
    };
  }

  private attemptDependencies(line: ProcessLine, leases: LeaseHolder): AttemptDependencies {
    const { execution, effects, whims, clock, surprises } = this.surroundings;
    const classifyStorageError: AttemptDependencies['classifyStorageError'] = (error) =>
      error instanceof WorkerDied ? { kind: 'outage', mayHaveCommitted: false } : { kind: 'ours' };
    const { timers } = this;
    return {
      claims: remoteClaims(new InMemoryClaims(InMemoryExecutions.of(execution)), line),
      backgroundReleases: new BackgroundReleases({
        leaseMs: LONG_MS,
        clock,
        classifyStorageError,
        // A dead process retries nothing.
        wait: (ms) => (line.isDead ? new Promise(() => undefined) : pause(timers, ms)),
        onError: () => undefined,
      }),
      files: NO_FILES,
      contexts: {
        load: () => line.ask('context', () => ({ ...CONTEXT, preparation: preparationOf(execution) })),
        loadAgent: () => line.ask('agent', () => AGENT),
        findLlm: () => Promise.resolve(null),
        findUsableAgents: (_tenantId, ids) => Promise.resolve(new Set(ids)),
      },
      leases,
      tools: TOOLS,
      invokerOf: (claim) => new RemoteTools(effects, line, claim, (key) => isAnnounced(execution, key)),
      journalOf: (claim) => new RemoteJournal(this.surroundings.openJournal(execution, claim), line),
      toolSearch: { mostListed: Infinity, indexTools: () => ({ rank: () => [], nearest: () => [] }) },
      compileSchema: () => () => ({ success: false, reasons: ['nothing is compiled here'] }),
      models: {
        of: () => ({ ...MODEL, model: new RemoteModel(whims, line, () => this.leases.token) }),
      },
      usecases: BASIC_CHAT_ONLY,
      attachments: NO_ATTACHMENTS,
      attachedRoom: new AttachedRoom(Infinity),
      events: new InMemoryEventStream(),
      messageData: { shownToModel: (data) => data },
      lookUps: new Map(),
      classifyStorageError,
      clock,
      timers,
      random: () => 0,
      logger: {
        info: () => undefined,
        warn: () => undefined,
        error: (details, message) => {
          if (message === 'attempt aborted' && 'err' in details) surprises.push(details.err);
        },
      },
      meter: NO_METER,
      leaseGraceMs: LONG_MS,
      onTitlePending: () => undefined,
      sha256: (text) => text,
    };
  }

  private readonly timers: Timers = {
    after: (ms, act) => {
      let isCancelled = false;
      const fire = (): void => {
        if (!isCancelled) act();
      };
      if (ms >= LONG_MS) this.deadlines.push(fire);
      else void this.surroundings.pause('time passes').then(fire);
      return () => {
        isCancelled = true;
      };
    },
  };
}

/** The lease of one worker, and its signal to stop. */
class HeldLeases extends LeaseHolder {
  claim: Claim | null = null;
  /** The token of the present or the last claim. */
  token = '';
  private abort: AbortController | null = null;

  override hold(claim: Claim, abort: AbortController): () => void {
    Object.assign(this, { claim, abort, token: claim.token });
    return () => {
      Object.assign(this, { claim: null, abort: null });
    };
  }

  override now(): number {
    return 0;
  }

  override holds(): boolean {
    return this.claim !== null && this.abort?.signal.reason !== ('lease_lost' satisfies StopReason);
  }

  stop(reason: StopReason): void {
    this.abort?.abort(reason);
  }
}

/** The preparation that the first attempt with an answer has written; null if there is none. */
function preparationOf({ facts }: ContendedExecution): StoredContext['preparation'] {
  const ofRoot = facts.map(({ entry }) => entry).filter((entry) => entry.scope === undefined);
  const prepared = ofRoot.find((entry) => entry.kind === 'execution_prepared');
  return prepared ?? null;
}

function isAnnounced(execution: ContendedExecution, key: string): boolean {
  return execution.facts.some(
    ({ entry }) => entry.kind === 'tool_call_started' && callName(entry.scope ?? ROOT, entry) === key,
  );
}

let tokens = 0;

/** A suspect after one loss, poisoned after one death: low limits, so that random scenarios reach both. */
const CLAIM_OPTIONS: Omit<ClaimOptions, 'canIsolate'> = {
  workerId: 'w',
  leaseMs: LONG_MS,
  deadlineMs: LONG_MS,
  suspectAfterLosses: 1,
  maxIsolatedDeaths: 1,
  tenantShare: 1,
  engineRuns: { takes: 'any', providers: [] },
};

const {
  preparation: _preparation,
  messages: _messages,
  ...AGENT
} = aStoredContext({
  systemPrompt: null,
  config: { maximum_iterations: 4, strategy: null },
});
const CONTEXT: Omit<StoredContext, 'preparation'> = {
  ...AGENT,
  messages: [],
  hasOlder: false,
  hasForeignHistory: false,
  summary: null,
};

const MODEL = {
  maxRetries: 1,
  prices: null,
  costOf: () => null,
  ...BY_CHARACTERS,
  parameters: responsesParameters,
};

/** The tools that a model may call; their effects are recorded in the ledger. */
class LedgerTools extends ToolSource {
  private readonly catalogue = new ToolCatalogue([
    ...Object.entries(EFFECTS).map(([name, effect]) => watched(name, { effect })),
    watched(AGENT_TOOL, { effect: 'idempotent', opens: opensAgent }),
  ]);

  override load(): Promise<ToolCatalogue> {
    return Promise.resolve(this.catalogue);
  }
}

function watched(name: string, definition: Partial<ToolDefinition>): ToolDefinition {
  const inputSchema = z.toJSONSchema(z.object({ serial: z.number(), index: z.number() })) as never;
  return { ...aTool(name, definition), inputSchema };
}

function opensAgent(input: unknown): OpenedScope {
  return { agentId: 2, name: AGENT_TOOL, input: JSON.stringify(input) };
}

const TOOLS = new LedgerTools();
