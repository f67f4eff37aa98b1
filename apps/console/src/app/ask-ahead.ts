import { consoleSessionQuery } from '../api/console-session.js';
import { isUuid } from '../format/ids.js';
import { preloadRun } from '../run/preload-run.js';
import { queryClient } from './query-client.js';

const RUN = /\/runs\/([^/]+)$/;

/** Asks for what the page at an address shows first, while the code that shows it is still loading. */
export function askAhead(path: string): void {
  // The shell and the screen ask again, and show the error.
  queryClient.query(consoleSessionQuery).catch(() => undefined);
  const [, run = ''] = RUN.exec(path) ?? [];
  if (!isUuid(run)) return;
  preloadRun(run);
  import('../run/run-screen.js').catch(() => undefined);
}
