import { Injectable } from '@nestjs/common';
import { systemClock } from '#libs/kernel';
import { JobProducer } from '#libs/queue';
import { SendWatch } from '../health/worker-health.js';

/** Sends the jobs of this process, and lets its health know whether they can be sent. */
@Injectable()
export class JobSender {
  readonly watch = new SendWatch(systemClock);

  constructor(private readonly jobs: JobProducer) {}

  readonly send: JobProducer['send'] = (queue, toSend) => this.watch.over(this.jobs.send(queue, toSend));
}
