import { RotateCcw, X } from 'lucide-react';
import { isRefusedForGood, sentPart } from '../../api/upload-list.js';
import { Button, IconButton } from '../../ui/button.js';
import { ProgressBar } from '../../ui/progress-bar.js';
import type { FileUpload } from './file-uploads.js';

interface UploadRowsProps {
  readonly uploads: readonly FileUpload[];
  readonly onDrop: (key: string) => void;
  /** Sends a refused file again, as if it were chosen now. */
  readonly onRetry: (upload: FileUpload) => void;
}

/** Files that are on their way, and those that were refused, each with its reason. */
export function UploadRows({ uploads, onDrop, onRetry }: UploadRowsProps) {
  if (uploads.length === 0) return null;
  return (
    <ul aria-label="Uploads" className="max-h-1/3 shrink-0 overflow-y-auto border-b border-line bg-sunken">
      {uploads.map((upload) => (
        <li key={upload.key} className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1">
          <span className="w-56 min-w-0 truncate font-mono text-sm" title={upload.place.path}>
            {upload.place.path}
          </span>
          <State upload={upload} />
          {upload.state === 'refused' && !isRefusedForGood(upload.problem) && (
            <Button className="h-7" onClick={() => onRetry(upload)}>
              <RotateCcw aria-hidden className="size-3.5" /> Send again
            </Button>
          )}
          <IconButton
            label={`${upload.state === 'sending' ? 'Stop' : 'Take off the list'}: ${upload.place.path}`}
            className="size-6"
            onClick={() => onDrop(upload.key)}
          >
            <X aria-hidden className="size-3.5" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

function State({ upload }: { readonly upload: FileUpload }) {
  if (upload.state === 'sending') {
    const { sent, total, place } = upload;
    return <ProgressBar label={`Upload of ${place.path}`} part={sentPart(sent, total)} />;
  }
  if (upload.state !== 'refused') {
    return <span className="min-w-0 flex-1 text-muted">Waits for its turn</span>;
  }
  const { problem } = upload;
  return (
    <span role="alert" className="min-w-40 flex-1 text-failed wrap-anywhere">
      {problem.message}
    </span>
  );
}
