import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { EventStream } from '#libs/executions';
import {
  ApprovalStore,
  ConnectionStore,
  DocumentSearchStore,
  eraseDeletedSessions,
  ExecutionTokenStore,
  expireConsoleSessions,
  expireIdempotencyKeys,
  expireKeptAnswers,
  expireRateLimits,
  forgetIdleReceivers,
  SessionChangesStore,
  tallyExecutions,
  ToolTrialStore,
  WebhookSecretStore,
} from '#libs/persistence';
import { DataSource } from 'typeorm';
import { WORKER_CONFIG } from '../worker.tokens.js';
import type { PeriodicTask } from './housekeeper.js';
import { deleteIdleSessions, eraseSession } from './housekeeping.tasks.js';

const APPROVALS_EVERY_MS = 5_000;
const UNDECIDED = 'no person decided in time';
const RETENTION_EVERY_MS = 60_000;
/** Sessions are kept for days, so ten minutes do not matter. */
const IDLE_SESSIONS_EVERY_MS = 600_000;

/** Ends overdue waits and deletes expired data. */
@Injectable()
export class RetentionTasks {
  readonly tasks: readonly PeriodicTask[];

  constructor(
    approvals: ApprovalStore,
    connections: ConnectionStore,
    searches: DocumentSearchStore,
    sessions: SessionChangesStore,
    tokens: ExecutionTokenStore,
    trials: ToolTrialStore,
    webhookSecrets: WebhookSecretStore,
    events: EventStream,
    dataSource: DataSource,
    @Inject(WORKER_CONFIG) { dispatch, events: { retentionMs }, filesRoot }: AppConfig,
  ) {
    const retention = (name: string, run: () => Promise<unknown>): PeriodicTask => ({
      ...{ name, everyMs: RETENTION_EVERY_MS, run },
    });
    this.tasks = [
      { name: 'expire approvals', everyMs: APPROVALS_EVERY_MS, run: () => approvals.expire(UNDECIDED) },
      {
        name: 'erase deleted sessions',
        everyMs: dispatch.intervalMs,
        run: () => eraseDeletedSessions(dataSource, (session) => eraseSession(session, events, filesRoot)),
      },
      {
        name: 'delete idle sessions',
        everyMs: IDLE_SESSIONS_EVERY_MS,
        run: () => deleteIdleSessions(dataSource, sessions),
      },
      retention('forget replaced webhook secrets', () => webhookSecrets.forgetExpired()),
      retention('forget idle webhook receivers', () => forgetIdleReceivers(dataSource)),
      retention('expire events', () => events.expire(retentionMs)),
      retention('expire idempotency keys', () => expireIdempotencyKeys(dataSource)),
      retention('expire kept answers', () => expireKeptAnswers(dataSource)),
      retention('expire tool trials', () => trials.expire()),
      retention('expire searches', () => searches.expire()),
      retention('expire connections', () => connections.expire()),
      retention('expire tokens', () => tokens.expire()),
      retention('expire console sessions', () => expireConsoleSessions(dataSource)),
      retention('tally executions', () => tallyExecutions(dataSource)),
      retention('expire rate limits', () => expireRateLimits(dataSource)),
    ];
  }
}
