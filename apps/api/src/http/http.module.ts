import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { AnswerKeeper } from '../idempotency/answer-keeper.js';
import { EventConnections, WaitingSubmits } from './held-requests.js';
import { KeyWatch } from './key-watch.js';
import { LiveRequests } from './open-requests.js';
import { ProblemDetailsFilter } from './problem-details.filter.js';
import { RateLimitsModule } from './rate-limits.module.js';
import { RequestAuthenticator } from './request-authenticator.js';
import { RequestValidationPipe } from './request-validation.js';

/**
 * Rules for all routes. A hook of Fastify (`RequestAuthenticator.guard`) checks API keys instead of a guard: it runs before
 * the body is read, so that requests without a key cost nothing.
 */
@Global()
@Module({
  imports: [RateLimitsModule],
  providers: [
    RequestAuthenticator,
    AnswerKeeper,
    KeyWatch,
    LiveRequests,
    EventConnections,
    WaitingSubmits,
    { provide: APP_PIPE, useClass: RequestValidationPipe },
    { provide: APP_FILTER, useClass: ProblemDetailsFilter },
  ],
  exports: [KeyWatch, LiveRequests, EventConnections, WaitingSubmits],
})
export class HttpModule {}
