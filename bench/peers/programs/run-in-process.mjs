// @ts-check
import { serveRuns } from './serve-runs.mjs';

/**
 * Serves runs that are only promises of this process.
 * @param {(id: string, input: string) => Promise<string>} run
 */
export function serveInProcess(run) {
  /** @type {Map<string, Promise<string>>} */
  const running = new Map();
  serveRuns({
    begin: async (id, input) => {
      const ended = run(id, input);
      // The request for the run receives the error.
      ended.catch(() => {});
      running.set(id, ended);
    },
    untilEnded: async (id) => {
      const ended = running.get(id);
      running.delete(id);
      return ended;
    },
  });
}
