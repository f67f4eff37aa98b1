import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { ModelPort } from '#libs/agent-core';
import {
  type AttemptDependencies,
  AttachedRoom,
  BackgroundReleases,
  CatalogueToolInvoker,
  LeaseKeeper,
  NO_METER,
  runAttempt,
  type RunExecutionDependencies,
  RunExecution,
} from '#libs/executions';
import { pause, systemClock, systemTimers } from '#libs/kernel';
import { responsesParameters } from '#libs/model-providers';
import type { ExecutionEvent, ExecutionView } from '#libs/payloads';
import {
  createDataSource,
  ExecutionClaimStore,
  ExecutionContextStore,
  ExecutionEndings,
  ExecutionWrites,
  ExecutionAcceptanceStore,
  ExecutionAssignmentStore,
  ExecutionStore,
  findCancelled,
  classifyDatabaseError,
  PostgresJournal,
  SessionStore,
  SkillStore,
  type ApplyStagedChange,
  type ChatMessageView,
  RunStepStore,
  type RunStepView,
  WorkspaceFileStore,
} from '#libs/persistence';
import {
  AgentTools,
  BuiltinTools,
  CombinedToolSource,
  compileForeignSchema,
  indexTools,
  SkillTools,
} from '#libs/tool-sources';
import type { ToolDefinition } from '#libs/tooling';
import type { DataSource } from 'typeorm';
import { SessionFiles } from '../../../apps/worker/src/workspace/session-files.js';
import { sha256 } from '../../../apps/worker/src/execute/attempt-parts.js';
import { aSubmission } from '../../support/builders/submission.js';
import { NO_ATTACHMENTS } from '../../support/fakes/no-attachments.js';
import { BASIC_CHAT_ONLY } from '../../support/fakes/scripted-retriever.js';
import { InMemoryEventStream } from '../../support/fakes/in-memory-event-stream.js';
import { AS_OF_A_WORKER, CLAIM_OPTIONS } from '../persistence/persistence-world.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import { BY_CHARACTERS } from '../../support/builders/counted-model.js';

/** Maximum approval timeout that may be configured: one year, in milliseconds. */
const APPROVAL_TIMEOUT_MS = 8_760 * 3_600_000;

/** The worker's use case on a real database, with a model and tools of the test's choice. */
export class WorkerWorld {
  readonly events = new InMemoryEventStream();
  /** Prepares the runs of attempts. */
  usecases: AttemptDependencies['usecases'] = BASIC_CHAT_ONLY;
  /** Reads the files of requests. */
  attachments: AttemptDependencies['attachments'] = NO_ATTACHMENTS;
  /** Limit of the bytes of attached files that the worker holds at once. */
  attachedRoom = new AttachedRoom(Infinity);
  /** Chooses the part of a message's data that models read. */
  messageData: AttemptDependencies['messageData'] = { shownToModel: (data) => data };
  lookUps: AttemptDependencies['lookUps'] = new Map();
  drain = new AbortController();
  filesRoot: string | null = null;
  readonly staged: string[] = [];
  readonly executions: ExecutionStore;
  readonly sessions: SessionStore;
  readonly endings: ExecutionEndings;
  readonly writes: ExecutionWrites;

  private constructor(
    readonly dataSource: DataSource,
    readonly databaseUrl: string,
    private readonly drop: () => Promise<void>,
  ) {
    this.executions = new ExecutionStore(dataSource);
    this.sessions = new SessionStore(dataSource);
    const applyStagedChange: ApplyStagedChange = (_manager, change) => {
      this.staged.push(change.kind);
      return Promise.resolve();
    };
    this.endings = new ExecutionEndings(applyStagedChange, APPROVAL_TIMEOUT_MS);
    this.writes = new ExecutionWrites(dataSource, this.endings);
  }

  static async open(): Promise<WorkerWorld> {
    const database = await createSeededDatabase();
    const dataSource = await createDataSource({ url: database.url, ...AS_OF_A_WORKER }).initialize();
    return new WorkerWorld(dataSource, database.url, () => database.drop());
  }

  makeLeases(): LeaseKeeper {
    const claims = new ExecutionClaimStore(this.dataSource);
    const heartbeat = {
      renew: claims.renew.bind(claims),
      findCancelled: (ids: readonly string[]) => findCancelled(this.dataSource, ids),
    };
    return new LeaseKeeper(heartbeat, 60_000, systemClock, systemTimers, () => undefined);
  }

  /** Gives the seeded agent these tools only, and this config. */
  async offer(tools: readonly ToolDefinition[], config: object = {}): Promise<void> {
    await this.dataSource.query(
      `UPDATE agent SET tools = $1, config = $2, system_prompt = 'Be brief.' WHERE id = 1`,
      [JSON.stringify({ builtin: tools.map((tool) => tool.name) }), JSON.stringify(config)],
    );
  }

  async submit(
    overrides: Parameters<typeof aSubmission>[0] = {},
  ): Promise<{ id: string; sessionId: string }> {
    const submission = aSubmission(overrides);
    await new ExecutionAcceptanceStore(this.dataSource).accept(submission);
    return { id: submission.executionId, sessionId: submission.sessionId ?? submission.newSessionId };
  }

  async run(
    executionId: string,
    model: ModelPort,
    tools: readonly ToolDefinition[] = [],
    overrides: Partial<RunExecutionDependencies> = {},
  ): Promise<ExecutionView> {
    await this.useCase(model, tools, overrides).execute(executionId, this.drain.signal);
    const view = await this.executions.find('default', executionId);
    if (!view) throw new Error('the execution is gone');
    return view;
  }

  useCase(
    model: ModelPort,
    tools: readonly ToolDefinition[],
    overrides: Partial<RunExecutionDependencies> = {},
  ): RunExecution {
    const claims = new ExecutionClaimStore(this.dataSource);
    const logger = pino({ level: 'silent' });
    const meter = NO_METER;
    const files = new SessionFiles(this.filesRoot, new WorkspaceFileStore(this.dataSource));
    const pacing = { timers: systemTimers, random: () => Math.random() };
    const attempt: AttemptDependencies = {
      claims,
      files,
      meter,
      attachments: this.attachments,
      attachedRoom: this.attachedRoom,
      backgroundReleases: new BackgroundReleases({
        leaseMs: CLAIM_OPTIONS.leaseMs,
        clock: systemClock,
        wait: (ms) => pause(systemTimers, ms),
        classifyStorageError: classifyDatabaseError,
        onError: () => undefined,
      }),
      contexts: new ExecutionContextStore(this.dataSource),
      leases: this.makeLeases(),
      tools: new CombinedToolSource([
        new BuiltinTools(tools),
        new AgentTools(),
        new SkillTools(new SkillStore(this.dataSource)),
      ]),
      invokerOf: (claim, parts) =>
        new CatalogueToolInvoker(claim, parts, { files, logger, sha256, ...pacing }),
      journalOf: this.journalOf,
      toolSearch: { mostListed: 128, indexTools },
      compileSchema: compileForeignSchema,
      models: {
        of: () => ({
          model,
          maxRetries: 1,
          prices: null,
          costOf: (tokens) => (tokens ? '0.25' : null),
          ...BY_CHARACTERS,
          parameters: responsesParameters,
        }),
      },
      usecases: this.usecases,
      events: this.events,
      onTitlePending: () => undefined,
      classifyStorageError: classifyDatabaseError,
      sha256,
      clock: systemClock,
      ...pacing,
      logger,
      messageData: this.messageData,
      lookUps: this.lookUps,
      leaseGraceMs: CLAIM_OPTIONS.leaseMs,
    };
    const deps: RunExecutionDependencies = {
      ...attempt,
      assignments: new ExecutionAssignmentStore(this.dataSource),
      newToken: randomUUID,
      claimOptions: () => CLAIM_OPTIONS,
      // Isolated attempts run in this process; other specs test them in real child processes.
      isolation: {
        prepare: () => undefined,
        reserve: () => ({
          run: async (claim, { drain }) => {
            await runAttempt(deps, claim, drain);
            return 'done';
          },
          release: () => undefined,
        }),
      },
      onEnded: () => undefined,
      ...overrides,
    };
    return new RunExecution(deps);
  }

  readonly journalOf: AttemptDependencies['journalOf'] = (claim, retries, clock, known) =>
    new PostgresJournal(this.writes, claim, clock, retries, known);

  /** Journals that apply the tools' staged changes by this function, in the transaction that ends the execution. */
  journalsWith(applyStagedChange: ApplyStagedChange): AttemptDependencies['journalOf'] {
    const endings = new ExecutionEndings(applyStagedChange, APPROVAL_TIMEOUT_MS);
    const writes = new ExecutionWrites(this.dataSource, endings);
    return (claim, retries, clock, known) => new PostgresJournal(writes, claim, clock, retries, known);
  }

  async stepsOf(executionId: string): Promise<readonly RunStepView[]> {
    return (await new RunStepStore(this.dataSource).list('default', executionId, { limit: 2_000 })).rows;
  }

  async messagesOf(sessionId: string): Promise<readonly ChatMessageView[]> {
    return (await this.sessions.listMessages('default', sessionId, { limit: 100 })).rows;
  }

  async eventNames(executionId: string): Promise<ExecutionEvent['event'][]> {
    return (await this.events.readAfter(executionId, 0, 1_000)).map((event) => event.event);
  }

  /** Expires the lease an hour ago, so that any backoff counted from then has passed. */
  async expireLease(executionId: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE execution SET lease_expires_at = now() - interval '1 hour' WHERE id = $1`,
      [executionId],
    );
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    await this.drop();
  }
}
