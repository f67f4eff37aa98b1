import { Controller, Get, Injectable, Optional } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { unlessAborted } from '#libs/concurrency';
import { EventStreamHealth } from '#libs/event-stream';
import { AppError } from '#libs/kernel';
import { checkDatabase } from '#libs/persistence';
import { QueueHealth } from '#libs/queue';
import { Access } from '../http/access.js';
import { Operation } from '../http/operation.js';
import { Answers, OpenProblems } from '../http/describe-answers.js';
import { createZodDto } from '../http/zod-dto.js';
import { Companion } from './companion.js';

const ANSWER_WITHIN_MS = 3_000;

/**
 * Checks over the existing connections whether this process can do its work. Throws an `unavailable` error that names the
 * dependency that does not answer.
 */
@Injectable()
export class CheckReadiness {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: QueueHealth,
    private readonly events: EventStreamHealth,
    @Optional() private readonly companion?: Companion,
  ) {}

  async execute(): Promise<void> {
    const answers = await Promise.allSettled([
      withinTime('database', checkDatabase(this.dataSource)),
      withinTime('queue', this.queue.check()),
      withinTime('event stream', this.events.check()),
      ...(this.companion ? [withinTime('worker of this process', this.companion.checkReady())] : []),
    ]);
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

/** A frozen server never answers, so the check has a deadline for the probe. */
async function withinTime(name: string, check: Promise<void>): Promise<void> {
  const noAnswer = (): Error => new Error('no answer in time');
  try {
    await unlessAborted(check, AbortSignal.timeout(ANSWER_WITHIN_MS), noAnswer);
  } catch (cause) {
    throw notReady(`the ${name} does not answer`, cause);
  }
}

function notReady(message: string, cause?: unknown): AppError {
  return new AppError({ code: 'NOT_READY', kind: 'unavailable', message, retryable: true, cause });
}

/** Body of a successful probe; a failing one gets a problem. */
export class HealthDto extends createZodDto(z.object({ status: z.literal('ok') }), { status: 'ok' }) {}

/** Health probes for the operator's orchestrator. */
@ApiTags('health')
@Controller()
@Access('public')
export class HealthController {
  constructor(
    private readonly checkReadiness: CheckReadiness,
    @Optional() private readonly companion?: Companion,
  ) {}

  @Get('healthz')
  @Operation(
    'getLiveness',
    'Check liveness',
    'Liveness probe, without database and queue. 503: restart the process.',
    { security: [] },
  )
  @Answers(200, HealthDto, 'The process is alive.')
  @OpenProblems(503)
  live(): HealthDto {
    if (this.companion?.isLive === false) throw notReady('the worker of this process is stuck');
    return { status: 'ok' };
  }

  @Get('readyz')
  @Operation(
    'getReadiness',
    'Check readiness',
    'Readiness probe; a 503 names the dependency that does not answer.',
    { security: [] },
  )
  @Answers(200, HealthDto, 'Database and queue answer.')
  @OpenProblems(503)
  async ready(): Promise<HealthDto> {
    await this.checkReadiness.execute();
    return { status: 'ok' };
  }
}
