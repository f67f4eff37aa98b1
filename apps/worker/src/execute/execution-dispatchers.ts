import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { ExecutionDispatcher, PacedTrigger, type ExecutionDispatch } from '#libs/executions';
import { systemTimers } from '#libs/kernel';
import { warnRarely, type Logger } from '#libs/observability';
import { ExecutionDispatchStore } from '#libs/persistence';
import { JobSender } from '../dispatch/job-sender.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';

/**
 * A queue that is empty holds nothing of what was sent before: the process that accepted an execution died before it had
 * sent the job, or the queue lost it. Grace period for sending; duplicate jobs are harmless.
 */
const LOST_TO_AN_EMPTY_QUEUE_MS = 2_000;

/** Milliseconds between two dispatches under load: ends make executions due, the next of a session above all. */
const DISPATCH_AT_MOST_EVERY_MS = 25;

/** Sends jobs of executions that can run. */
@Injectable()
export class DueExecutionDispatcher extends ExecutionDispatcher {
  constructor(
    store: ExecutionDispatchStore,
    sender: JobSender,
    @Inject(WORKER_CONFIG) { dispatch }: AppConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(executionDispatch(store, sender, dispatch, logger));
  }
}

/** Sends jobs again that the queue must have lost. */
@Injectable()
export class LostJobsDispatcher extends ExecutionDispatcher {
  constructor(
    store: ExecutionDispatchStore,
    sender: JobSender,
    @Inject(WORKER_CONFIG) { dispatch }: AppConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    const redispatchAfterMs = Math.min(dispatch.redispatchAfterMs, LOST_TO_AN_EMPTY_QUEUE_MS);
    super(executionDispatch(store, sender, { ...dispatch, redispatchAfterMs }, logger));
  }
}

/** Looks for executions that can run when one has ended: at once, and seldom enough under load. */
@Injectable()
export class EndedExecutionTrigger extends PacedTrigger {
  constructor(executions: DueExecutionDispatcher) {
    super(() => executions.trigger(), DISPATCH_AT_MOST_EVERY_MS, systemTimers);
  }
}

function executionDispatch(
  store: ExecutionDispatchStore,
  sender: JobSender,
  options: AppConfig['dispatch'],
  logger: Logger,
): ExecutionDispatch {
  return {
    store,
    options,
    newJobId: randomUUID,
    send: (jobs) => sender.send('execute', jobs),
    onError: warnRarely(logger, 'executions not dispatched'),
  };
}
