import { readTimelinePage, type TimelinePage } from '../../api/timeline.js';

/** Time in ms for which a page that was asked for in advance counts as current. */
const FRESH_MS = 5_000;

interface PreloadedPage {
  readonly runId: string;
  readonly page: Promise<TimelinePage>;
  readonly askedAt: number;
}

let preloaded: PreloadedPage | null = null;

/** Asks for the first page of the timeline of a run, unless that was asked for just now, in place of another run's. */
export function preloadTimeline(runId: string): void {
  if (preloaded?.runId === runId && isFresh(preloaded)) return;
  const page = readTimelinePage(runId, null, new AbortController().signal);
  preloaded = { runId, page, askedAt: performance.now() };
  // A reader that has it by now handles the error; one that comes later, such as after a sign-in, asks anew.
  page.catch(() => {
    if (preloaded?.page === page) preloaded = null;
  });
}

/** Takes the page that was asked for in advance; null if there is none of this run, or it is too old. */
export function takePreloaded(runId: string): Promise<TimelinePage> | null {
  const taken = preloaded;
  if (taken?.runId !== runId) return null;
  preloaded = null;
  return isFresh(taken) ? taken.page : null;
}

const isFresh = ({ askedAt }: PreloadedPage): boolean => performance.now() - askedAt < FRESH_MS;
