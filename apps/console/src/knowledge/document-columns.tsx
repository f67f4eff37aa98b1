import { Link } from '@tanstack/react-router';
import type { KnowledgeDocument } from '../api/types.js';
import { formatBytes, UNKNOWN } from '../format/amounts.js';
import { ClippedText } from '../ui/clipped-text.js';
import type { Column } from '../ui/data-list.js';
import { Time } from '../ui/time.js';
import { DocumentStatus } from './document-status.js';
import { warningText } from './warning-text.js';

/** Columns of the list of documents. */
export const documentColumns: readonly Column<KnowledgeDocument>[] = [
  {
    id: 'title',
    header: 'Document',
    track: 'minmax(8rem, 20rem)',
    cell: ({ id, title }) => (
      <Link
        to="/knowledge/documents/$id"
        params={{ id }}
        title={title}
        className="font-medium hover:underline"
      >
        <ClippedText text={title} />
      </Link>
    ),
  },
  {
    id: 'state',
    header: 'State',
    track: '11rem',
    cell: (document) => <DocumentStatus document={document} />,
  },
  {
    id: 'note',
    header: 'Error or warning',
    track: 'minmax(8rem, 1fr)',
    from: 760,
    cell: (document) => <span className="text-muted">{noteOf(document)}</span>,
  },
  {
    id: 'kind',
    header: 'Kind',
    track: '5rem',
    from: 640,
    cell: ({ kind, source }) => kind ?? <span className="text-muted">{source}</span>,
  },
  {
    id: 'size',
    header: 'Size',
    track: '5rem',
    isNumber: true,
    from: 560,
    cell: ({ size_bytes: bytes }) =>
      bytes === null ? <span className="text-muted">{UNKNOWN}</span> : formatBytes(bytes),
  },
  {
    id: 'updated',
    header: 'Changed',
    track: '5.5rem',
    isNumber: true,
    from: 460,
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
];

/** Why a document has failed or is tried again, or else what no search finds of it. */
function noteOf({
  error_text: text,
  error_code: code,
  last_error: last,
  warnings,
}: KnowledgeDocument): string {
  if (code !== null) return `${code}: ${text ?? ''}`;
  if (last !== null) return `Tried again: ${last.text}`;
  return warnings.map(warningText).join('; ');
}
