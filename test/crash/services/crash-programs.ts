import { programFile } from '../../../scripts/build/programs.ts';
import { testProgramFile } from '../../support/services/test-programs.ts';

export const CRASH_WORKER = testProgramFile('crash-worker');
export const CRASH_API = testProgramFile('crash-api');
export const CHAOS_WORKER = testProgramFile('chaos-worker');
export const FETCHING_WORKER = testProgramFile('fetching-worker');
/** The undecorated worker. */
export const WORKER = programFile('worker');
