import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { parseJob } from '#libs/payloads';
import { ProgressWatch } from '../health/progress-watch.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { ConnectServer } from './connect-server.js';

/** Of the connections that this process works on. */
export class ConnectionProgress extends ProgressWatch {}

/** The API waits for it, and reads what came of it where it is written. */
@Processor('connect-server', QUEUE_WORKER_OPTIONS)
export class ConnectServerProcessor extends WorkerHost {
  constructor(
    private readonly connectServer: ConnectServer,
    readonly progress: ConnectionProgress,
  ) {
    super();
  }

  override async process(job: Job): Promise<boolean> {
    const { tenantId, connectionId, attemptId, step } = parseJob('connect-server', job.data);
    const end = this.progress.begin();
    try {
      await this.connectServer.execute(tenantId, connectionId, attemptId, step);
      return true;
    } finally {
      end();
    }
  }
}
