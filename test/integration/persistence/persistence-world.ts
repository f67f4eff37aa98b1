import {
  createDataSource,
  ExecutionClaimStore,
  ExecutionDispatchStore,
  ExecutionAcceptanceStore,
  ExecutionStore,
  RunStepStore,
  type RunStepView,
} from '#libs/persistence';
import type { Claim, ClaimOptions, DispatchOptions, Submission } from '#libs/executions';
import type { DataSource } from 'typeorm';
import { aSubmission } from '../../support/builders/submission.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import { emptyTables } from '../../support/services/empty-tables.js';

export const CLAIM_OPTIONS: ClaimOptions = {
  workerId: 'w1',
  leaseMs: 60_000,
  deadlineMs: 300_000,
  suspectAfterLosses: 2,
  maxIsolatedDeaths: 2,
  canIsolate: true,
  tenantShare: 0.5,
  engineRuns: { takes: 'any', providers: [] },
};
export const DISPATCH_OPTIONS: DispatchOptions = {
  queueTarget: 100,
  redispatchAfterMs: 30_000,
  tenantInFlightCap: 100,
  tenantQueueShare: 1,
  tenantSlotShare: 0.5,
};

/** A worker's connection options: each statement is parsed and planned once, which takes most of its time. */
export const AS_OF_A_WORKER = { isPreparing: true };

export interface AcceptedId {
  readonly id: string;
  readonly sessionId: string;
}

/** The stores of executions on a database of their own. */
export class PersistenceWorld {
  readonly acceptances: ExecutionAcceptanceStore;
  readonly claims: ExecutionClaimStore;
  readonly dispatches: ExecutionDispatchStore;
  readonly executions: ExecutionStore;

  private constructor(
    readonly dataSource: DataSource,
    readonly databaseUrl: string,
    private readonly drop: () => Promise<void>,
  ) {
    this.acceptances = new ExecutionAcceptanceStore(dataSource);
    this.claims = new ExecutionClaimStore(dataSource);
    this.dispatches = new ExecutionDispatchStore(dataSource);
    this.executions = new ExecutionStore(dataSource);
  }

  static async open(): Promise<PersistenceWorld> {
    const database = await createSeededDatabase();
    const dataSource = await createDataSource({ url: database.url, ...AS_OF_A_WORKER }).initialize();
    return new PersistenceWorld(dataSource, database.url, () => database.drop());
  }

  async stepsOf(executionId: string, tenantId = 'default'): Promise<readonly RunStepView[]> {
    return (await new RunStepStore(this.dataSource).list(tenantId, executionId, { limit: 2_000 })).rows;
  }

  async claim(executionId: string): Promise<Claim> {
    const result = await this.claims.claim(executionId, CLAIM_OPTIONS);
    if (result.kind !== 'claimed') throw new Error(`expected a claim, got ${result.kind}`);
    return result.claim;
  }

  /** Accepts an execution of the seeded agent, in a new session unless `overrides` name one. */
  async accept(overrides: Partial<Submission> = {}): Promise<AcceptedId> {
    const submission = aSubmission(overrides);
    const acceptance = await this.acceptances.accept(submission);
    if (acceptance.kind !== 'accepted') throw new Error(`expected an execution, got ${acceptance.kind}`);
    return { id: submission.executionId, sessionId: submission.sessionId ?? submission.newSessionId };
  }

  /** Ends the backoff or wait of the execution, so that it is due now. */
  async endDelay(executionId: string): Promise<void> {
    await this.dataSource.query('UPDATE execution SET due_at = NULL WHERE id = $1', [executionId]);
  }

  /** Prolongs a delay by an hour, so that it outlasts the test on a slow machine. */
  async holdDelay(executionId: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE execution SET due_at = due_at + interval '1 hour'
        WHERE id = $1 AND due_at IS NOT NULL AND finished_at IS NULL`,
      [executionId],
    );
  }

  /** Expires the lease an hour ago, so that any backoff counted from then has passed. */
  async expireLease(executionId: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE execution SET lease_expires_at = now() - interval '1 hour' WHERE id = $1`,
      [executionId],
    );
  }

  async clear(): Promise<void> {
    await emptyTables(this.dataSource, 'chat_session');
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    await this.drop();
  }
}
