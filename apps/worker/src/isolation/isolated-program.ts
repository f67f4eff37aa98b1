import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AppConfig } from '#libs/config';
import { ExecutionMeter, LeaseHolder, runAttempt, type AttemptDependencies } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { NestLogger, type Logger } from '#libs/observability';
import { AttemptModule } from '../execute/attempt.module.js';
import { guardProcess } from '../guard/guard-process.js';
import { surroundings } from '../surroundings.js';
import { ATTEMPT_DEPENDENCIES } from '../worker.tokens.js';
import { STOP_SIGNALS } from './isolation-protocol.js';
import { ParentWorker, type ParentPort } from './parent-worker.js';

/** One attempt at a time writes at one place at a time. */
const CONNECTIONS = 3;

/** What one attempt needs, and nothing else: no queue, no health, no housekeeping, no presence of its own. */
@Module({})
export class IsolationModule {
  static forRoot(config: AppConfig, logger: Logger, port: ParentPort): DynamicModule {
    return {
      module: IsolationModule,
      global: true,
      imports: [
        ...surroundings(config, logger, {
          applicationName: 'capstan-isolated',
          poolSize: CONNECTIONS,
          hasGenericPlans: config.database.isPreparing,
        }),
        AttemptModule,
      ],
      providers: [
        { provide: ParentWorker, useValue: new ParentWorker(port, config.execution.leaseMs, systemClock) },
        { provide: LeaseHolder, useExisting: ParentWorker },
        { provide: ExecutionMeter, useExisting: ParentWorker },
      ],
      exports: [LeaseHolder, ExecutionMeter],
    };
  }
}

/**
 * The whole life of a process that runs one suspect: it takes the claim of the worker that started it, runs the
 * attempt, says that it is done, and ends. It never outlives its worker, whatever the attempt does to it. A signal that
 * asks all processes of a group to stop is for its worker, which passes it on.
 */
export async function runIsolatedProgram(
  config: AppConfig,
  logger: Logger,
  module: DynamicModule,
): Promise<void> {
  for (const signal of STOP_SIGNALS) process.on(signal, () => undefined);
  process.once('disconnect', () => process.exit(1));
  if (!process.connected) throw new Error('this program is started by a worker, never by hand');
  guardProcess({ hangLimitMs: config.worker.hangLimitMs, parentPid: process.ppid });
  const app = await NestFactory.createApplicationContext(module, {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  const parent = app.get(ParentWorker);
  const deps = app.get<AttemptDependencies>(ATTEMPT_DEPENDENCIES);
  const claim = await parent.askForClaim();
  try {
    await runAttempt(deps, claim, parent.drain);
  } catch (err) {
    logger.warn({ err, executionId: claim.executionId }, 'isolated attempt released');
  }
  await deps.backgroundReleases.settled();
  await parent.sayDone();
  process.exit(0);
}
