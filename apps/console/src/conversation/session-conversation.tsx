import { useEffect, useRef, type ReactNode } from 'react';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import type { Session } from '../api/types.js';
import { useKeys } from '../ui/keys.js';
import { ProblemNotice, Reading } from '../ui/notice.js';
import { useReadOn } from '../ui/read-on.js';
import { useStickToEnd } from '../ui/stick-to-end.js';
import { TurnView } from './turn-view.js';
import { useTurns, type Turns } from './use-turns.js';

/** Wish to bring a turn into view: `end` is the newest. Each wish is a new object. */
export interface Seek {
  readonly to: number | 'end';
}

interface SessionConversationProps {
  readonly session: Pick<Session, 'uuid' | 'turn_count'>;
  /** Null begins with the oldest turn. */
  readonly seek: Seek | null;
  /** Above the first turn. */
  readonly before?: ReactNode;
  /** Below the last turn; it is given the runs that are shown as turns. */
  readonly after?: (runIds: ReadonlySet<string>) => ReactNode;
  /** In place of turns where there are none. */
  readonly empty: ReactNode;
  /** Whether `j` and `k` move from turn to turn. */
  readonly hasKeys?: boolean;
}

const NEAR_END_TURNS = 5;

/** Turns of a session as a conversation, of which only those in view are in the page. */
export function SessionConversation(props: SessionConversationProps) {
  const { session, seek, before, after, empty } = props;
  const turns = useTurns(session);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const list = turns.turns;
  const virtual = useVirtualizer({
    count: list.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 140,
    overscan: 3,
    getItemKey: (index) => list[index]?.number ?? index,
  });
  useReadOn(virtual, NEAR_END_TURNS, turns.readMore);
  useStickToEnd(scroller, content, seek?.to === 'end');
  useSeek(seek, turns, virtual);
  useTurnKeys(props.hasKeys === true, scroller, virtual, list.length);
  const isBegun = !turns.isPending && (list.length > 0 || !turns.hasMore);
  const isEmpty = list.length === 0 && isBegun;
  const isReading = !isBegun && turns.error === null && session.turn_count > 0;
  return (
    <div ref={scroller} tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto">
      <div ref={content} className="pb-2">
        {before}
        {isReading && <Reading />}
        {isEmpty && empty}
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const turn = list[index];
            if (turn === undefined) return null;
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
                className="absolute top-0 left-0 w-full border-b border-line"
              >
                <TurnView turn={turn} sessionUuid={session.uuid} />
              </div>
            );
          })}
        </div>
        {turns.error !== null && (
          <ProblemNotice
            error={turns.error}
            title="The conversation could not be read"
            onRetry={turns.retry}
          />
        )}
        {after?.(new Set(list.map(({ runId }) => runId ?? '')))}
      </div>
    </div>
  );
}

type List = Virtualizer<HTMLDivElement, Element>;

/** Reads on until the turn is there, and scrolls to it once. */
function useSeek(seek: Seek | null, turns: Turns, virtual: List): void {
  const sought = useRef<Seek | null>(null);
  const { turns: list, hasMore, readMore, error, isPending } = turns;
  useEffect(() => {
    if (seek === null || sought.current === seek || isPending || error !== null) return;
    const { to } = seek;
    const found = to === 'end' ? -1 : list.findIndex(({ number }) => number >= to);
    if (found === -1 && hasMore) {
      readMore();
      return;
    }
    sought.current = seek;
    if (found === -1) virtual.scrollToIndex(Math.max(0, list.length - 1), { align: 'end' });
    else virtual.scrollToIndex(found, { align: 'start' });
  });
}

/** Moves the focus with `j` and `k` from turn to turn. */
function useTurnKeys(
  isOn: boolean,
  scroller: { readonly current: HTMLDivElement | null },
  virtual: List,
  count: number,
): void {
  const current = useRef(-1);
  const move = (step: 1 | -1): void => {
    const focused = document.activeElement?.closest('[data-index]')?.getAttribute('data-index') ?? null;
    const from = focused === null ? current.current : Number(focused);
    const index = Math.min(count - 1, Math.max(0, from + step));
    if (count === 0) return;
    current.current = index;
    virtual.scrollToIndex(index, { align: 'start' });
    requestAnimationFrame(() => {
      const turn = scroller.current?.querySelector(`[data-index="${index}"]`);
      turn?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true, focusVisible: true });
    });
  };
  useKeys(isOn ? { j: () => move(1), k: () => move(-1) } : {});
}
