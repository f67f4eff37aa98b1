export { BatchExecutor, type BatchAnswer, type CombinerOptions } from './batch-executor.js';
export { Turns } from './turns.js';
export { unlessAborted } from './unless-aborted.js';
