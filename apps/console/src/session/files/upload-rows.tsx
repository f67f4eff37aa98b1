import { RotateCcw, X } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.js';
import { ProgressBar } from '../../ui/progress-bar.js';
import type { FileUpload, FileUploads } from './use-file-uploads.js';

interface UploadRowsProps extends Pick<FileUploads, 'uploads'> {
  readonly onDrop: FileUploads['drop'];
  readonly onRetry: FileUploads['begin'];
}

/** Files that are on their way, and those that were refused, each with its reason. */
export function UploadRows({ uploads, onDrop, onRetry }: UploadRowsProps) {
  if (uploads.length === 0) return null;
  return (
    <ul aria-label="Uploads" className="max-h-1/3 shrink-0 overflow-y-auto border-b border-line bg-sunken">
      {uploads.map((upload) => (
        <li key={upload.key} className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1">
          <span className="w-56 min-w-0 truncate font-mono text-sm" title={upload.path}>
            {upload.path}
          </span>
          <State upload={upload} />
          {upload.problem !== null && (
            <Button
              className="h-7"
              onClick={() => {
                onDrop(upload.key);
                onRetry(upload.path, upload.file);
              }}
            >
              <RotateCcw aria-hidden className="size-3.5" /> Send again
            </Button>
          )}
          <IconButton
            label={`${upload.problem === null ? 'Stop' : 'Take off the list'}: ${upload.path}`}
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

function State({ upload: { path, part, problem } }: { readonly upload: FileUpload }) {
  if (problem === null) return <ProgressBar label={`Upload of ${path}`} part={part} />;
  return (
    <span role="alert" className="min-w-0 flex-1 text-failed wrap-anywhere">
      {problem.faults[0] ?? problem.message}
    </span>
  );
}
