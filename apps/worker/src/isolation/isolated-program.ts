import { getHeapStatistics } from 'node:v8';
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

/** Maximum database connections; one attempt writes only at one place at a time. */
const CONNECTIONS = 3;

/** Modules for one attempt only: no queue, health, housekeeping or presence. */
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
          hearsFollowers: false,
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
 * Runs a process for suspects: it receives a claim from its worker, runs the attempt, reports the end, and waits for the
 * next claim unless the attempt has left too much behind. It never outlives its worker. It ignores stop signals sent to the
 * process group, because its worker forwards them.
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
  let claim = await parent.askForClaim();
  for (;;) {
    try {
      await runAttempt(deps, claim, parent.drain);
    } catch (err) {
      logger.warn({ err, executionId: claim.executionId }, 'isolated attempt released');
    }
    await deps.backgroundReleases.settled();
    if (!hasRoomForMore()) break;
    claim = await parent.askForAnother();
  }
  await parent.sayLast();
  process.exit(0);
}

/** False if the attempts so far have left more than half of the heap in use. */
function hasRoomForMore(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used < limit / 2;
}
