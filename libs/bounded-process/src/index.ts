export { BoundedProcess, type ProcessLimits } from './bounded-process.js';
export { watchProcess, type WatchedLimits } from './watch-process.js';
