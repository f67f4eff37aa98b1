import type { ReactNode } from 'react';
import { DataList, type Column } from '../../ui/data-list.js';
import { ProblemNotice } from '../../ui/notice.js';

interface PagedListProps<Row> {
  readonly label: string;
  readonly list: {
    readonly rows: readonly Row[];
    readonly isPending: boolean;
    readonly isError: boolean;
    readonly error: unknown;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly refetch: () => Promise<unknown>;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  /** In place of the list when there is nothing in it. */
  readonly empty: ReactNode;
  /** Line above the list: what belongs to all of it. */
  readonly head?: ReactNode;
}

/** A list of settings in any of its states. */
export function PagedList<Row>({ label, list, columns, rowKey, onOpen, empty, head }: PagedListProps<Row>) {
  const { rows } = list;
  return (
    <>
      {head !== undefined && (
        <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
          {head}
        </div>
      )}
      {list.isPending && (
        <p role="status" className="p-4 text-muted">
          Reading …
        </p>
      )}
      {list.isError && rows.length === 0 && (
        <ProblemNotice
          error={list.error}
          title={`${label} could not be read`}
          onRetry={() => void list.refetch()}
        />
      )}
      {!list.isPending && !list.isError && rows.length === 0 && empty}
      {rows.length > 0 && (
        <DataList
          label={label}
          rows={rows}
          columns={columns}
          rowKey={rowKey}
          onOpen={onOpen}
          onNearEnd={() => {
            if (list.hasNextPage && !list.isFetchingNextPage && !list.isError) void list.fetchNextPage();
          }}
          footer={
            list.isFetchNextPageError ? (
              <ProblemNotice error={list.error} onRetry={() => void list.fetchNextPage()} />
            ) : null
          }
        />
      )}
    </>
  );
}
