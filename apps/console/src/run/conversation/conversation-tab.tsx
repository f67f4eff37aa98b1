import { useRef, useSyncExternalStore } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { ExecutionWithRequest } from '../../api/types.js';
import { ProblemNotice } from '../../ui/notice.js';
import { useStickToEnd } from '../../ui/stick-to-end.js';
import { isSettled } from '../../api/runs.js';
import { Entry } from '../../conversation/entry.js';
import type { ConversationEntry } from '../../conversation/fold-events.js';
import type { RunEventsStore } from '../../conversation/run-events-store.js';

type Shown =
  | ConversationEntry
  | { readonly kind: 'input'; readonly key: 'input'; readonly scope: ''; readonly text: string };

/** Question, answers and tool calls as a conversation, or why there is none. */
export function ConversationTab({
  run,
  store,
}: {
  readonly run: ExecutionWithRequest;
  readonly store: RunEventsStore;
}) {
  const { entries } = useSyncExternalStore(store.subscribe, store.getConversation);
  const { error } = useSyncExternalStore(store.subscribe, store.getState);
  if (error !== null && entries.length === 0) return <ProblemNotice error={error} />;
  return <Conversation run={run} entries={entries} />;
}

/** New text scrolls into view only if the reader is at the end. A run that is over is read from its beginning. */
function Conversation({
  run,
  entries,
}: {
  readonly run: ExecutionWithRequest;
  readonly entries: readonly ConversationEntry[];
}) {
  const isLive = !isSettled(run);
  const shown: Shown[] = [{ kind: 'input', key: 'input', scope: '', text: run.input }, ...entries];
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLOListElement>(null);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 72,
    overscan: 8,
    getItemKey: (index) => shown[index]?.key ?? index,
  });
  useStickToEnd(scroller, content, isLive);
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto py-2">
      <ol
        ref={content}
        aria-label="Conversation"
        className="relative max-w-4xl"
        style={{ height: virtual.getTotalSize() }}
      >
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
