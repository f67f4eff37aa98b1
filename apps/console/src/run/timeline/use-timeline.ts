import { useEffect, useReducer, useState, useSyncExternalStore } from 'react';
import { readTimelinePage } from '../../api/timeline.js';
import { takePreloaded } from './preloaded-page.js';
import { TimelineReader, type TimelineState } from './timeline-reader.js';

export interface Timeline extends TimelineState {
  readonly retry: () => void;
}

/** Reads the timeline of a run; the page that was asked for in advance is its first one. */
function readerOf(runId: string): TimelineReader {
  let first = takePreloaded(runId);
  return new TimelineReader((cursor, signal) => {
    const page = cursor === null ? first : null;
    first = null;
    return page ?? readTimelinePage(runId, cursor, signal);
  });
}

/** The timeline of a run: its first page at once, the others as they come. */
export function useTimeline(runId: string, isOver: boolean): Timeline {
  const [reader] = useState(() => readerOf(runId));
  const [turn, retry] = useReducer((count: number) => count + 1, 0);
  const state = useSyncExternalStore(reader.subscribe, reader.getState);
  useEffect(() => {
    const leaving = new AbortController();
    void reader.read(leaving.signal);
    return () => leaving.abort();
  }, [reader, turn]);
  useEffect(() => reader.setOver(isOver), [reader, isOver]);
  return { ...state, retry };
}
