export { Combiner, type BatchAnswer, type CombinerOptions } from './combiner.js';
export { Turns } from './turns.js';
export { unlessAborted } from './unless-aborted.js';
