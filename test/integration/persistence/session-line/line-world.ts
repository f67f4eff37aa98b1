import { expect } from '@jest/globals';
import { v7 as uuid } from 'uuid';
import {
  BacklogGauge,
  cancelExecution,
  ExecutionDispatcher,
  NO_METER,
  SubmitExecution,
  type ClaimOptions,
  type ClaimStore,
} from '#libs/executions';
import { systemClock, systemTimers } from '#libs/kernel';
import { CancellationStore } from '#libs/persistence';
import { aSubmitCommand, UNLIMITED } from '../../../support/fakes/executions-at-work.js';
import { DISPATCH_OPTIONS, type PersistenceWorld } from '../persistence-world.js';
import { LineAttempt } from './line-attempt.js';
import type { LineModel, ModelTurn } from './line-model.js';

interface Row {
  readonly id: string;
  readonly status: string;
  readonly turn_number: number;
  readonly attempt: number;
  readonly epoch: number;
  readonly lost_attempts: number;
  readonly isolated_deaths: number;
  readonly is_lease_over: boolean;
  readonly is_dispatched: boolean;
}

/** Round limit of an execution, which a history of at most 30 commands does not reach. */
const MAX_ROUNDS = 30;
const NO_LIMITS = { queued: Infinity, tenantQueued: Infinity, tenantWaitMs: Infinity };
/** Ignores triggers, because `dispatch` is a command of its own. */
const NO_DISPATCHER = { trigger: () => undefined };

/** The use cases on a real database, with the execution id of each turn of the model. */
export class LineWorld {
  /** Attempts with a claim, in the order of `LineModel.claims`. */
  readonly attempts: LineAttempt[] = [];
  private readonly submit: SubmitExecution;
  private readonly cancellations: CancellationStore;
  private readonly ids: string[] = [];
  private readonly sessions = new Map<number, string>();

  constructor(
    readonly world: PersistenceWorld,
    private readonly claims: ClaimStore = world.claims,
  ) {
    this.cancellations = new CancellationStore(world.dataSource);
    this.submit = new SubmitExecution({
      ...{ acceptances: world.acceptances, executions: world.executions, cancellations: this.cancellations },
      backlog: new BacklogGauge(() => Promise.resolve(new Map()), systemClock),
      ...{ limits: NO_LIMITS, clock: systemClock, timers: systemTimers },
      dispatcher: NO_DISPATCHER,
      acceptedSender: { send: () => undefined },
      meter: NO_METER,
      ids: { next: uuid },
      sealToken: () => 'sealed',
      sealWebhookSecret: () => 'sealed',
    });
  }

  idOf(model: LineModel, turn: ModelTurn): string {
    return this.ids[model.turns.indexOf(turn)] ?? 'unknown';
  }

  /** Submits a turn; returns its number. */
  async accept(session: number): Promise<number> {
    const sessionId = this.sessions.get(session);
    const request = {
      ...{ ...aSubmitCommand().request, options: { maximum_iterations: MAX_ROUNDS } },
      ...(sessionId !== undefined && { session_uuid: sessionId }),
    };
    const submitted = await this.submit.execute(aSubmitCommand({ request }), UNLIMITED);
    if (submitted.kind !== 'submitted') throw new Error(`expected an execution, got ${submitted.kind}`);
    this.sessions.set(session, submitted.view.session_uuid);
    this.ids.push(submitted.view.id);
    return submitted.view.turn_number;
  }

  /** Dispatches due executions; returns their ids. */
  async dispatch(redispatchAfterMs: number): Promise<readonly string[]> {
    const sent: string[] = [];
    const dispatcher = new ExecutionDispatcher({
      store: this.world.dispatches,
      options: { ...DISPATCH_OPTIONS, redispatchAfterMs },
      newJobId: uuid,
      send: (jobs) => {
        sent.push(...jobs.map(({ payload }) => payload.executionId));
        return Promise.resolve();
      },
      onError: () => undefined,
    });
    await dispatcher.dispatch();
    return sent;
  }

  /** Delivers the execution's job to `workers` workers at once; returns their attempts. */
  async deliver(id: string, workers: number, options: ClaimOptions): Promise<readonly LineAttempt[]> {
    const attempts = Array.from({ length: workers }, () => new LineAttempt(this.world, this.claims, options));
    await Promise.all(attempts.map((attempt) => attempt.start(id)));
    return attempts;
  }

  /** Requests cancellation; returns the execution's status afterwards. */
  async cancel(id: string): Promise<string | undefined> {
    const { cancellations, world } = this;
    const deps = { cancellations, executions: world.executions, dispatcher: NO_DISPATCHER, meter: NO_METER };
    return (await cancelExecution(deps, 'default', id))?.status;
  }

  /** Expects a delay of the execution, then ends the delay. */
  async expectDelay(executionId: string): Promise<void> {
    const [row] = await this.world.dataSource.query<{ is_put_off: boolean }[]>(
      'SELECT due_at IS NOT NULL AS is_put_off FROM execution WHERE id = $1',
      [executionId],
    );
    expect(row).toEqual({ is_put_off: true });
    await this.world.endDelay(executionId);
  }

  /** Expects each row to match the model, and the invariants that need no model to hold. */
  async expectLike(model: LineModel): Promise<void> {
    const [rows, broken] = await Promise.all([this.rows(), this.brokenPromises()]);
    expect(rows).toEqual(
      model.turns.map((turn) => ({
        id: this.idOf(model, turn),
        status: turn.status,
        turn_number: turn.turnNumber,
        attempt: turn.attempt,
        epoch: turn.epoch,
        lost_attempts: turn.lostAttempts,
        isolated_deaths: turn.isolatedDeaths,
        is_dispatched: turn.isDispatched,
        is_lease_over: turn.isLeaseOver,
      })),
    );
    expect(broken).toEqual([]);
  }

  private rows(): Promise<Row[]> {
    return this.world.dataSource.query(
      `SELECT id, status, turn_number, attempt, epoch, lost_attempts, isolated_deaths, dispatched_at IS NOT NULL AS is_dispatched,
              status = 'running' AND lease_expires_at < now() AS is_lease_over
         FROM execution ORDER BY array_position($1::uuid[], id)`,
      [this.ids],
    );
  }

  private brokenPromises(): Promise<unknown[]> {
    return this.world.dataSource.query(
      `SELECT 'two of a session run at once' AS broken FROM execution WHERE status = 'running'
        GROUP BY session_id HAVING count(*) > 1
       UNION ALL
       SELECT 'a turn ran before an earlier one had ended' FROM execution later JOIN execution earlier USING (session_id)
        WHERE earlier.turn_number < later.turn_number AND later.attempt > 0
          AND earlier.status IN ('queued', 'running', 'requires_action')
       UNION ALL
       SELECT 'a fact was written under an epoch that was over' FROM journal_entry later JOIN journal_entry earlier USING (execution_id)
        WHERE earlier.sequence < later.sequence AND earlier.epoch > later.epoch
       UNION ALL
       SELECT 'it was settled twice' FROM journal_entry WHERE kind = 'execution_settled'
        GROUP BY execution_id HAVING count(*) > 1`,
    );
  }
}
