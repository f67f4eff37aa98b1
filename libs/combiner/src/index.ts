export { Combiner, type BatchAnswer, type CombinerOptions } from './combiner.js';
