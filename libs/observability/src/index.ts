export { createLogger, type Logger } from './logger.js';
export { describeError } from './describe-error.js';
export { NestLogger } from './nest-logger.js';
export { describeStartFailure } from './start-failure.js';
export { rateLimited } from './rate-limited.js';
export { warnRarely } from './warn-rarely.js';
