import { Injectable } from '@nestjs/common';
import { systemClock } from '#libs/kernel';
import { JobProducer } from '#libs/queue';
import { SendWatch } from '../health/worker-health.js';

/** Sends this process's jobs and records for its health whether sending works. */
@Injectable()
export class JobSender {
  readonly watch = new SendWatch(systemClock);

  constructor(private readonly jobs: JobProducer) {}

  readonly send: JobProducer['send'] = (queue, toSend) => this.watch.over(this.jobs.send(queue, toSend));
}
