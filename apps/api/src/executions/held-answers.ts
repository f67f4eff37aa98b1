import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AwaitSettlement } from '#libs/executions';
import type { ExecutionView } from '#libs/payloads';
import type { Principal } from '../http/access.js';
import type { DescribedHeaders } from '../http/describe-answers.js';
import { WaitingSubmits } from '../http/held-requests.js';
import { KeyWatch } from '../http/key-watch.js';
import { LiveRequests } from '../http/open-requests.js';
import { singleHeader } from '../http/request-values.js';
import { describeApplied, parseSubmitPreferences } from './submit-headers.js';

export const APPLIED_HEADER: DescribedHeaders = {
  'Preference-Applied': {
    description: 'The preferences of `Prefer` that were honoured; only where the request waits.',
    schema: { type: 'string' },
  },
};

/** A request about an execution whose answer may be held. */
export interface HeldRequest {
  readonly caller: Principal;
  readonly executionId: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Holds answers about known executions under `Prefer: wait=N`, until they have settled or need a person. */
@Injectable()
export class HeldAnswers {
  constructor(
    private readonly awaitSettlement: AwaitSettlement,
    private readonly liveRequests: LiveRequests,
    private readonly waitingSubmits: WaitingSubmits,
    private readonly keyWatch: KeyWatch,
  ) {}

  /**
   * Answers the execution as `begin` answers it, and as it is at the end of the wait; without a wait the same. Throws
   * `WAIT_LIMIT` before anything is begun.
   */
  async hold<View extends ExecutionView>(
    { caller, executionId, request, reply }: HeldRequest,
    begin: () => Promise<View>,
  ): Promise<{ readonly first: View; readonly last: ExecutionView }> {
    const { waitSeconds } = parseSubmitPreferences(singleHeader(request, 'prefer'));
    if (waitSeconds === null) {
      const view = await begin();
      return { first: view, last: view };
    }
    const signal = this.liveRequests.signalFor(reply.raw);
    this.waitingSubmits.hold(caller, reply.raw);
    this.keyWatch.watch(caller, reply.raw);
    const awaited = this.awaitSettlement.watch(executionId);
    try {
      const first = await begin();
      void reply.header('Preference-Applied', describeApplied({ waitSeconds, handling: null }));
      return { first, last: await awaited.settled(caller.tenantId, first, waitSeconds * 1_000, signal) };
    } finally {
      awaited.close();
    }
  }
}
