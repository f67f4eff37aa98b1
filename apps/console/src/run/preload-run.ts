import { queryClient } from '../app/query-client.js';
import { runQuery } from '../api/runs.js';
import { preloadTimeline } from './timeline/preloaded-page.js';

/** Asks for a run and the beginning of its timeline while the code of its screen is still loading. */
export function preloadRun(id: string): void {
  // The screen asks again, and shows the error.
  queryClient.query(runQuery(id)).catch(() => undefined);
  preloadTimeline(id);
}
