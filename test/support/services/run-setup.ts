// Jest loads it as it does `global-setup.ts`.
import { beginTestRun } from './test-run.ts';

/** The setup for tests without services: `beginTestRun`, once for all projects of this process. */
export default function beginRun(): string {
  return process.env.CAPSTAN_TEST_RUN_FOLDER ?? beginTestRun();
}
