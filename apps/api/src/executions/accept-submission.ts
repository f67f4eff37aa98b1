import { setTimeout as delay } from 'node:timers/promises';
import type { FactoryProvider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import type { ExecuteRequest } from '#libs/payloads';
import {
  BacklogStore,
  CancellationStore,
  ExecutionIntakeStore,
  type Acceptance,
  type Submission,
} from '#libs/persistence';
import { checkAdmission, type AdmissionLimits, type AdmissionVerdict } from '#libs/policy';
import { API_CONFIG } from '../api.tokens.js';
import { BacklogGauge } from './backlog-gauge.js';

/** How long `on_conflict: reject` waits for the conversation (S4-3). */
const LOCK_WAIT_MS = 5_000;
const LOCK_POLL_MS = 100;

type OnConflict = NonNullable<ExecuteRequest['on_conflict']>;

/** Accepts work if there is room for it, and if its conversation is free or may wait. */
export class AcceptSubmission {
  constructor(
    private readonly intake: ExecutionIntakeStore,
    private readonly cancellations: CancellationStore,
    private readonly backlog: BacklogGauge,
    private readonly limits: AdmissionLimits,
  ) {}

  /** `mostQueued`: how many executions of the tenant may wait, where it has a limit of its own. */
  async execute(
    submission: Submission,
    onConflict: OnConflict,
    mostQueued: number | null,
  ): Promise<Acceptance | Exclude<AdmissionVerdict, { kind: 'admitted' }>> {
    const tenantQueued = Math.min(this.limits.tenantQueued, mostQueued ?? Infinity);
    const limits = { ...this.limits, tenantQueued };
    const verdict = checkAdmission(await this.backlog.read(submission.tenantId), limits);
    // What was accepted before is answered however full the house is.
    if (verdict.kind !== 'admitted') return (await this.intake.findEarlier(submission)) ?? verdict;
    const acceptance = await this.#accept(submission, onConflict);
    if (acceptance.kind === 'accepted') this.backlog.noteAccepted(submission.tenantId);
    return acceptance;
  }

  async #accept(submission: Submission, onConflict: OnConflict): Promise<Acceptance> {
    const { sessionId, tenantId } = submission;
    if (sessionId === null) return this.intake.accept(submission);
    switch (onConflict) {
      case 'enqueue':
        return this.intake.accept(submission);
      case 'interrupt':
        await this.cancellations.requestForSession(tenantId, sessionId);
        return this.intake.accept(submission);
      case 'reject':
        return this.#acceptWhenFree({ ...submission, sessionId });
    }
  }

  /** A conversation that is about to be free is worth a short wait (S4-3). */
  async #acceptWhenFree(submission: Submission & { readonly sessionId: string }): Promise<Acceptance> {
    const giveUpAt = performance.now() + LOCK_WAIT_MS;
    for (;;) {
      const acceptance = await this.intake.acceptIfFree(submission);
      if (acceptance.kind !== 'session_busy' || performance.now() >= giveUpAt) return acceptance;
      await delay(LOCK_POLL_MS);
    }
  }
}

export const acceptSubmissionProvider: FactoryProvider<AcceptSubmission> = {
  provide: AcceptSubmission,
  inject: [ExecutionIntakeStore, CancellationStore, DataSource, API_CONFIG],
  useFactory: (
    intake: ExecutionIntakeStore,
    cancellations: CancellationStore,
    dataSource: DataSource,
    config: AppConfig,
  ) => {
    const store = new BacklogStore(dataSource);
    const gauge = new BacklogGauge(() => store.measure(), systemClock);
    return new AcceptSubmission(intake, cancellations, gauge, config.admission);
  },
};
