export { AnswerBrokenOff } from './bounded-bytes.js';
export {
  admit,
  afterFailure,
  afterNothing,
  CLOSED,
  TOLERATED_FAILURES,
  unheard,
  type BreakerState,
} from './breaker-state.js';
export { type FetchFailureReason, NoAnswerError } from './fetch-failure.js';
export { GuardedClient, type GuardedClientOptions, type GuardedFetchLikeOptions } from './guarded-client.js';
export { guardedAgent, type GuardOptions } from './guarded-connect.js';
export {
  GuardedFetch,
  type GuardedAnswer,
  type GuardedFetchOptions,
  type GuardedLimits,
  type GuardedRequest,
  type GuardedStream,
  type Unanswered,
} from './guarded-fetch.js';
export { exchange, type Exchanged, type HttpRequest } from './http-exchange.js';
export { mayBeCalled, type PrivateHost, REFUSED_ADDRESS_TEXT } from './address-policy.js';
