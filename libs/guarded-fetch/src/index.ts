export { AnswerBrokenOff } from './bounded-bytes.js';
export type { FetchFailureReason } from './fetch-failure.js';
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
