import { Paperclip } from 'lucide-react';
import type { Message } from '../api/types.js';
import { formatBytes } from '../format/amounts.js';
import { JsonView } from '../ui/json-view.js';

interface Attached {
  readonly id: string;
  readonly name: string;
  readonly size_bytes: number;
}

/** Files and other data that a message carries beside its text. */
export function MessageData({
  data,
  fileName,
}: {
  readonly data: Message['data'];
  readonly fileName: string;
}) {
  const keys = Object.keys(data);
  if (keys.length === 0) return null;
  return (
    <div className="mt-1 flex flex-col gap-1">
      <Files files={data.attachments ?? []} />
      <details className="text-sm">
        <summary className="w-fit cursor-pointer text-muted hover:text-ink">
          Data: {keys.slice(0, 5).join(', ')}
          {keys.length > 5 && ` and ${keys.length - 5} more`}
        </summary>
        <div className="mt-1 border-l border-line pl-3">
          <JsonView label="Data" value={data} fileName={fileName} />
        </div>
      </details>
    </div>
  );
}

/** Attached files; a file that has expired answers 404. */
export function Files({ files }: { readonly files: readonly Attached[] }) {
  if (files.length === 0) return null;
  return (
    <ul aria-label="Files" className="flex flex-wrap gap-1.5">
      {files.map(({ id, name, size_bytes }) => (
        <li key={id} className="max-w-full">
          <a
            href={`/api/files/${encodeURIComponent(id)}/content/`}
            download
            className="inline-flex max-w-full items-center gap-1.5 rounded-md border border-line px-2 py-0.5 text-sm hover:bg-hover"
          >
            <Paperclip aria-hidden className="size-3.5 shrink-0 text-muted" />
            <span className="truncate">{name}</span>
            <span className="shrink-0 text-muted">{formatBytes(size_bytes)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
