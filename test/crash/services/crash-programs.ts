import { programFile } from '../../../scripts/build/programs.ts';

/** Where the global setup of the tests compiles them to. */
export const CRASH_WORKER = 'dist/test/crash/programs/crash-worker.js';
export const CRASH_API = 'dist/test/crash/programs/crash-api.js';
/** The worker as it is. */
export const WORKER = programFile('worker');
