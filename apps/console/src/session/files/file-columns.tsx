import type { SessionFile } from '../../api/types.js';
import { formatBytes } from '../../format/amounts.js';
import type { Column } from '../../ui/data-list.js';
import { Time } from '../../ui/time.js';

/** Columns of the files of a session. */
export function fileColumns(onOpen: (path: string) => void): Column<SessionFile>[] {
  return [
    {
      id: 'path',
      header: 'Path',
      track: 'minmax(8rem, 1fr)',
      cell: ({ path }) => (
        <button
          type="button"
          title={path}
          className="max-w-full truncate font-mono text-sm hover:underline"
          onClick={() => onOpen(path)}
        >
          {path}
        </button>
      ),
    },
    {
      id: 'size',
      header: 'Size',
      track: '5rem',
      isNumber: true,
      cell: ({ size_bytes }) => formatBytes(size_bytes),
    },
    {
      id: 'changed',
      header: 'Changed',
      track: '6rem',
      isNumber: true,
      cell: ({ updated_at }) => <Time at={updated_at} />,
    },
  ];
}
