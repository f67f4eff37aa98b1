import { useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { Execution } from '../../api/types.js';
import { Empty, ProblemNotice } from '../../ui/notice.js';
import { isSettled } from '../../api/runs.js';
import { inputQuery } from '../run-queries.js';
import type { RunEvents } from '../../conversation/use-run-events.js';
import { Entry } from '../../conversation/entry.js';
import { useFollowEnd } from '../../conversation/follow-end.js';
import type { ConversationEntry } from '../../conversation/fold-events.js';

type Shown =
  | ConversationEntry
  | { readonly kind: 'input'; readonly key: 'input'; readonly scope: ''; readonly text: string };

/** Question, answers and tool calls as a conversation. New text scrolls into view only if the reader is at the end. */
export function ConversationTab({ run, events }: { readonly run: Execution; readonly events: RunEvents }) {
  const input = useQuery(inputQuery(run));
  const { entries } = events.conversation;
  const said = input.data ?? null;
  const shown: Shown[] =
    said === null ? [...entries] : [{ kind: 'input', key: 'input', scope: '', text: said }, ...entries];
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 72,
    overscan: 8,
    getItemKey: (index) => shown[index]?.key ?? index,
  });
  useFollowEnd(scroller, isSettled(run) ? null : entries);
  if (events.error !== null && entries.length === 0) return <ProblemNotice error={events.error} />;
  if (shown.length === 0)
    return <Empty title={isSettled(run) ? 'Nothing was said' : 'Nothing was said yet'} />;
  const isLive = !isSettled(run);
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto py-2">
      <ol aria-label="Conversation" className="relative max-w-4xl" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const entry = shown[index];
          if (entry === undefined) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
              className="absolute top-0 left-0 w-full px-4 py-1"
            >
              <Entry entry={entry} isLive={isLive && index === shown.length - 1} />
            </li>
          );
        })}
      </ol>
    </div>
  );
}
