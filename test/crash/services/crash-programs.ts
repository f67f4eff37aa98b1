/** Below `dist`, where the global setup of the tests compiles them to. */
export const CRASH_WORKER = 'test/crash/programs/crash-worker.js';
export const CRASH_API = 'test/crash/programs/crash-api.js';
/** The worker as it is. */
export const WORKER = 'apps/worker/src/main.js';
