import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { useKeys } from './keys.js';
import { useReadOn } from './read-on.js';
import { useWidth } from './width.js';

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** Track of a CSS grid, such as `minmax(8rem, 1fr)`. */
  readonly track: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** Least width of the list in px at which the column is shown; always without it. */
  readonly from?: number;
}

interface DataListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  readonly selectedKey?: string | null;
  /** Called when the end comes near and more rows can be read. */
  readonly onNearEnd?: () => void;
  /** Below the last row: that more is being read, or that it failed. */
  readonly footer?: ReactNode;
  readonly onScrolled?: (isAtTop: boolean) => void;
}

const ROW_HEIGHT = 36;
const NEAR_END_ROWS = 20;

/**
 * A table of which only the rows in view are in the page. `j` and `k` move the focus from row to row; each row holds a link
 * or a button in its first cell, which Enter follows.
 */
export function DataList<Row>(props: DataListProps<Row>) {
  const { rows, columns, rowKey } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const shown = columns.filter(({ from }) => from === undefined || width === 0 || width >= from);
  const grid = { gridTemplateColumns: shown.map(({ track }) => track).join(' ') };
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
    onChange: ({ scrollOffset }) => props.onScrolled?.((scrollOffset ?? 0) < ROW_HEIGHT),
  });
  useReadOn(virtual, NEAR_END_ROWS, props.onNearEnd);
  useRowKeys(rows.map(rowKey), scroller, virtual);
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto" tabIndex={0}>
      <div role="table" aria-label={props.label} aria-rowcount={rows.length + 1} className="min-w-full">
        <div
          role="row"
          style={grid}
          className="sticky top-0 z-10 grid h-8 items-center gap-3 border-b border-line bg-surface px-4 text-sm text-muted"
        >
          {shown.map(({ id, header, isNumber }) => (
            <span
              key={id}
              role="columnheader"
              className={clsx('truncate', isNumber === true && 'text-right')}
            >
              {header}
            </span>
          ))}
        </div>
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={rowKey(row) === props.selectedKey || undefined}
                data-row={rowKey(row)}
                onClick={(click) => {
                  if (!isOwnControl(click.target)) props.onOpen(row);
                }}
                style={{ ...grid, height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
                className={clsx(
                  'absolute top-0 left-0 grid w-full cursor-pointer items-center gap-3 border-b border-line px-4',
                  'hover:bg-hover has-[:focus-visible]:bg-hover aria-selected:bg-accent-soft',
                )}
              >
                {shown.map(({ id, cell, isNumber }) => (
                  <span
                    key={id}
                    role="cell"
                    className={clsx('min-w-0 truncate', isNumber === true && 'text-right')}
                  >
                    {cell(row)}
                  </span>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      {props.footer}
    </div>
  );
}

/** Moves the focus with `j` and `k`, from where it is or was; a row out of view is scrolled to first. */
function useRowKeys(
  keys: readonly string[],
  scroller: RefObject<HTMLDivElement | null>,
  virtual: Virtualizer<HTMLDivElement, Element>,
): void {
  const [lastKey, setLastKey] = useState<string | null>(null);
  const move = (step: 1 | -1): void => {
    const focused = document.activeElement?.closest('[data-row]')?.getAttribute('data-row') ?? lastKey;
    const from = focused === null ? -1 : keys.indexOf(focused);
    const index = Math.min(keys.length - 1, Math.max(0, from + step));
    const key = keys[index];
    if (key === undefined) return;
    setLastKey(key);
    virtual.scrollToIndex(index);
    requestAnimationFrame(() => {
      const row = scroller.current?.querySelector(`[data-row="${CSS.escape(key)}"]`);
      row?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true, focusVisible: true });
    });
  };
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) });
}

const isOwnControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, input, select') !== null;
