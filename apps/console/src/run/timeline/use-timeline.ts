import { useEffect, useReducer, useState, useSyncExternalStore } from 'react';
import { readTimelinePage } from '../../api/timeline.js';
import { TimelineReader, type TimelineState } from './timeline-reader.js';

export interface Timeline extends TimelineState {
  readonly retry: () => void;
}

/** The timeline of a run: its first page at once, the others as they come. */
export function useTimeline(runId: string, isOver: boolean): Timeline {
  const [reader] = useState(
    () => new TimelineReader((cursor, signal) => readTimelinePage(runId, cursor, signal)),
  );
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
