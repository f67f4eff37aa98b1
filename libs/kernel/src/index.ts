export { AppError, isError, type AppErrorOptions, type ErrorKind } from './app-error.js';
export { assertNever } from './assert-never.js';
export {
  every,
  pause,
  steadyTime,
  systemClock,
  systemTimers,
  type Clock,
  type MonotonicClock,
  type Timers,
} from './clock.js';
export { canonicalJson } from './canonical-json.js';
export { addDecimals, compareDecimals, subtractDecimals } from './decimal.js';
export { ERROR_CATALOGUE } from './error-catalogue.js';
export { problemCodesOf, type ErrorAudience, type ErrorDescription } from './error-description.js';
export type { IdGenerator } from './id-generator.js';
export {
  asStorableJson,
  isJsonObject,
  MAX_JSON_DEPTH,
  toStorableJson,
  toStorableText,
  utf8Length,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
} from './json-value.js';
export { OneAtATime } from './one-at-a-time.js';
export { OVER } from './over.js';
export { readNumber, readRetryAfter } from './read-retry-after.js';
