import { CircleX, LoaderCircle, Paperclip, X } from 'lucide-react';
import { clsx } from 'clsx';
import { formatBytes } from '../format/amounts.js';
import type { Attachment } from './use-attachments.js';

interface AttachmentListProps {
  readonly attachments: readonly Attachment[];
  readonly onRemove: (key: string) => void;
}

/** Files of the message that is being written, each with how far it is. */
export function AttachmentList({ attachments, onRemove }: AttachmentListProps) {
  if (attachments.length === 0) return null;
  return (
    <ul aria-label="Files of the message" className="flex flex-wrap gap-1.5">
      {attachments.map((attachment) => {
        const { key, name, size, fault } = attachment;
        return (
          <li
            key={key}
            className={clsx(
              'inline-flex max-w-full items-center gap-1.5 rounded-md border py-0.5 pr-0.5 pl-2 text-sm',
              fault === null ? 'border-line' : 'border-failed/50 text-failed',
            )}
          >
            <StateIcon attachment={attachment} />
            <span className="truncate">{name}</span>
            <span className={clsx(fault === null && 'shrink-0 text-muted')}>
              {fault ?? formatBytes(size)}
            </span>
            <button
              type="button"
              aria-label={`Remove ${name}`}
              onClick={() => onRemove(key)}
              className="rounded p-0.5 text-muted hover:bg-hover hover:text-ink"
            >
              <X aria-hidden className="size-3.5" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function StateIcon({ attachment: { file, fault } }: { readonly attachment: Attachment }) {
  if (fault !== null) return <CircleX aria-label="Refused" className="size-3.5 shrink-0" />;
  if (file !== null) return <Paperclip aria-label="Stored" className="size-3.5 shrink-0 text-muted" />;
  return (
    <LoaderCircle
      aria-label="On its way"
      className="size-3.5 shrink-0 animate-[spin_2s_linear_infinite] text-running"
    />
  );
}
