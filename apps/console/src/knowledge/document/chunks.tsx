import { useEffect, useMemo, useRef } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import type { DocumentChunk, KnowledgeDocument } from '../../api/types.js';
import { CopyButton } from '../../ui/copy-button.js';
import { LongText } from '../../ui/long-text.js';
import { Empty, ProblemNotice, Reading } from '../../ui/notice.js';
import { useReadOn } from '../../ui/read-on.js';
import { isUnderWay } from '../document-state.js';
import { chunksQuery } from '../knowledge-queries.js';

const NEAR_END = 10;
/** So many pages are read to find the chunk of an address; a person can go on by scrolling. */
const MAX_PAGES_TO_FIND = 50;

/** The chunks that searches use, in the order of the document; the one of the address is scrolled to. */
export function Chunks(props: { readonly document: KnowledgeDocument; readonly chunkId: number | null }) {
  const { document, chunkId } = props;
  const query = useInfiniteQuery(chunksQuery(document.id, document.live_generation));
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  const pages = query.data?.pages;
  const chunks = useMemo(() => pages?.flatMap(({ data }) => data) ?? [], [pages]);
  const scroller = useRef<HTMLDivElement>(null);
  const canRead = hasNextPage && !isFetchingNextPage && !isError;
  const virtual = useVirtualizer({
    count: chunks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 120,
    overscan: 6,
    getItemKey: (index) => chunks[index]?.id ?? index,
  });
  useReadOn(virtual, NEAR_END, () => {
    if (canRead) void fetchNextPage();
  });
  const found = chunkId === null ? -1 : chunks.findIndex(({ id }) => id === chunkId);
  const isSought = chunkId !== null && found === -1 && (pages?.length ?? 0) < MAX_PAGES_TO_FIND;
  useEffect(() => {
    if (isSought && canRead) void fetchNextPage();
  }, [isSought, canRead, fetchNextPage]);
  useEffect(() => {
    if (found >= 0) virtual.scrollToIndex(found, { align: 'start' });
    // Only the place of the chunk matters: a reader who has scrolled on is not called back.
  }, [found, virtual]);
  if (query.isPending) return <Reading />;
  if (isError && chunks.length === 0) {
    return (
      <ProblemNotice
        error={query.error}
        title="The chunks could not be read"
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (chunks.length === 0) {
    return (
      <Empty title={isUnderWay(document) ? 'No chunks yet' : 'No chunks'}>
        <p className="text-muted">
          {isUnderWay(document)
            ? 'They appear here once the document is ready for the first time.'
            : 'The document failed before any of it could be searched.'}
        </p>
      </Empty>
    );
  }
  const isGone = chunkId !== null && found === -1 && !hasNextPage;
  return (
    <>
      {isGone && (
        <p role="status" className="shrink-0 border-b border-line bg-action-soft px-4 py-1 text-action">
          Chunk {chunkId} is not searched any more: the document was replaced since.
        </p>
      )}
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto max-md:min-h-[60dvh]" tabIndex={0}>
        <ol aria-label="Chunks" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const chunk = chunks[index];
            if (chunk === undefined) return null;
            return (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
                className={clsx(
                  'absolute top-0 left-0 w-full border-b border-line px-4 py-2',
                  index === found && 'bg-accent-soft',
                )}
              >
                <Chunk chunk={chunk} isSought={index === found} />
              </li>
            );
          })}
        </ol>
        {query.isFetchNextPageError && (
          <ProblemNotice error={query.error} onRetry={() => void fetchNextPage()} />
        )}
      </div>
    </>
  );
}

function Chunk({ chunk, isSought }: { readonly chunk: DocumentChunk; readonly isSought: boolean }) {
  const { id, ordinal, text, headings, page, token_count: tokens } = chunk;
  return (
    <article aria-current={isSought || undefined} className="max-w-4xl">
      <header className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
        <span className="font-medium text-ink">{ordinal + 1}</span>
        {page !== null && <span>page {page}</span>}
        <span>{tokens} tokens</span>
        <span className="inline-flex items-center">
          chunk <span className="ml-1 font-mono">{id}</span>
          <CopyButton text={text} label={`Copy the text of chunk ${id}`} />
        </span>
        {headings.length > 0 && <span className="min-w-0 wrap-anywhere">{headings.join(' › ')}</span>}
      </header>
      <LongText text={text} fileName={`chunk-${id}.txt`} />
    </article>
  );
}
