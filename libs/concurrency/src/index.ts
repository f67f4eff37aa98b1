export { BatchExecutor, type BatchAnswer, type BatchOptions } from './batch-executor.js';
export { Linger } from './linger.js';
export { Turns } from './turns.js';
export { unlessAborted } from './unless-aborted.js';
