import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { parseJob } from '#libs/payloads';
import { ProgressWatch } from '../health/progress-watch.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { RevokeTokens } from './revoke-tokens.js';

/** Of the tokens that this process revokes. */
export class RevocationProgress extends ProgressWatch {}

/** A job says: tokens may be to be revoked. Whether they are, is in the database. */
@Processor('revoke-tokens', QUEUE_WORKER_OPTIONS)
export class RevokeTokensProcessor extends WorkerHost {
  constructor(
    private readonly revokeTokens: RevokeTokens,
    readonly progress: RevocationProgress,
  ) {
    super();
  }

  override async process(job: Job): Promise<void> {
    const { connectionId } = parseJob('revoke-tokens', job.data);
    const end = this.progress.begin();
    try {
      await this.revokeTokens.execute(connectionId);
    } finally {
      end();
    }
  }
}
