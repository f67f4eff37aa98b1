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
 * Grace period of a sent job while the queue is empty, in milliseconds. After that the job is lost: the accepting process
 * died before it sent the job, or the queue lost it. Duplicate jobs are harmless.
 */
const LOST_TO_AN_EMPTY_QUEUE_MS = 2_000;

/**
 * Minimum interval of dispatches under load, in milliseconds: each end makes executions due, mostly the next of its
 * session.
 */
const DISPATCH_AT_MOST_EVERY_MS = 25;

/** Sends jobs for executions that can run. */
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

/** Re-dispatches executions with lost jobs. */
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

/** Triggers a dispatch when an execution has ended; immediate, but rate-limited under load. */
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
