import { useMemo, type ReactNode } from 'react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { DataList, type Column } from './data-list.js';
import { ProblemNotice, Reading } from './notice.js';

interface Page<Row> {
  readonly data: readonly Row[];
}

interface PagedListProps<Row> {
  readonly query: UseInfiniteQueryResult<InfiniteData<Page<Row>>>;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  readonly selectedKey?: string | null;
  /** In place of the list when there are no rows. */
  readonly empty: ReactNode;
  /** Rows to show instead of those that the query holds. */
  readonly rows?: readonly Row[];
  readonly onScrolled?: (isAtTop: boolean) => void;
  /** Title where nothing could be read; it names the label without one. */
  readonly problemTitle?: string;
}

/** A list of cursor pages: more is read when the end comes near; failed reads say why and can be repeated. */
export function PagedList<Row>({ query, empty, rows: given, problemTitle, ...list }: PagedListProps<Row>) {
  const pages = query.data?.pages;
  const read = useMemo(() => pages?.flatMap(({ data }) => data) ?? [], [pages]);
  const rows = given ?? read;
  if (query.isPending) {
    return <Reading />;
  }
  if (query.isError && rows.length === 0) {
    const title = problemTitle ?? `${list.label} could not be read`;
    return <ProblemNotice error={query.error} title={title} onRetry={() => void query.refetch()} />;
  }
  if (rows.length === 0) return empty;
  return (
    <DataList
      {...list}
      rows={rows}
      onNearEnd={() => {
        if (query.hasNextPage && !query.isFetchingNextPage && !query.isError) void query.fetchNextPage();
      }}
      footer={
        query.isFetchNextPageError ? (
          <ProblemNotice error={query.error} onRetry={() => void query.fetchNextPage()} />
        ) : null
      }
    />
  );
}
