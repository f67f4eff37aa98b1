import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw, X } from 'lucide-react';
import { isRefusedForGood, sentPart } from '../../api/upload-list.js';
import { formatBytes } from '../../format/amounts.js';
import { Button, IconButton } from '../../ui/button.js';
import { ProgressBar } from '../../ui/progress-bar.js';
import { progressOf } from '../document-state.js';
import { DocumentStatus } from '../document-status.js';
import {
  documentUploads,
  followedKeys,
  keepDocument,
  useDocumentUploads,
  type DocumentUpload,
} from './upload-queue.js';
import { useFollowDocument } from '../use-follow-document.js';

/** A browser holds six connections to one server at most, and the lists need some of them. */
const STREAMS = 2;

/** Files on their way into a datasource: bytes first, then the ingestion of each. */
export function UploadsPanel({ datasourceId }: { readonly datasourceId: number }) {
  const uploads = useDocumentUploads().filter(({ place }) => place.datasourceId === datasourceId);
  const followed = followedKeys(uploads, STREAMS);
  const given = uploads.filter(({ state }) => state === 'given');
  useListAnew(datasourceId, given.length);
  if (uploads.length === 0) return null;
  return (
    <section
      aria-label="Uploads"
      className="max-h-1/2 shrink-0 overflow-y-auto border-b border-line bg-sunken"
    >
      <header className="flex h-8 items-center gap-2 px-4 text-sm text-muted">
        <h2>
          Uploads, {given.length} of {uploads.length} sent
        </h2>
        {given.length > 0 && (
          <Button
            look="quiet"
            className="h-6 px-2"
            onClick={() => given.forEach(({ key }) => documentUploads.drop(key))}
          >
            Clear those that are sent
          </Button>
        )}
      </header>
      <ul>
        {uploads.map((upload) => (
          <Row key={upload.key} upload={upload} isFollowed={followed.has(upload.key)} />
        ))}
      </ul>
    </section>
  );
}

function Row({ upload, isFollowed }: { readonly upload: DocumentUpload; readonly isFollowed: boolean }) {
  const { key, file } = upload;
  useFollowDocument(isFollowed && upload.state === 'given' ? upload.given.id : null, 1, keepDocument);
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-1">
      <span className="w-56 min-w-0 truncate" title={file.name}>
        {upload.state === 'given' ? (
          <Link to="/knowledge/documents/$id" params={{ id: upload.given.id }} className="hover:underline">
            {file.name}
          </Link>
        ) : (
          file.name
        )}
      </span>
      <span className="w-16 text-right text-muted">{formatBytes(file.size)}</span>
      <State upload={upload} />
      {upload.state === 'refused' && !isRefusedForGood(upload.problem) && (
        <Button className="h-7" onClick={() => documentUploads.retry(key)}>
          <RotateCcw aria-hidden className="size-3.5" /> Send again
        </Button>
      )}
      <IconButton
        label={`${upload.state === 'sending' ? 'Stop' : 'Take off the list'}: ${file.name}`}
        className="size-6"
        onClick={() => documentUploads.drop(key)}
      >
        <X aria-hidden className="size-3.5" />
      </IconButton>
    </li>
  );
}

function State({ upload }: { readonly upload: DocumentUpload }) {
  if (upload.state === 'waiting')
    return <span className="min-w-0 flex-1 text-muted">Waits for its turn</span>;
  if (upload.state === 'refused') {
    const { problem } = upload;
    return (
      <span role="alert" className="min-w-40 flex-1 text-failed wrap-anywhere">
        {problem.message}
      </span>
    );
  }
  if (upload.state === 'sending') {
    const { sent, total, file } = upload;
    return (
      <span className="flex min-w-40 flex-1 items-center gap-2">
        <ProgressBar label={`Upload of ${file.name}`} part={sentPart(sent, total)} />
        <span className="w-40 shrink-0 text-muted">
          {formatBytes(sent)} of {formatBytes(total)}
        </span>
      </span>
    );
  }
  const document = upload.given;
  const note = document.error_text ?? document.last_error?.text;
  const part = progressOf(document);
  return (
    <span className="flex min-w-40 flex-1 flex-wrap items-center gap-x-3">
      <DocumentStatus document={document} />
      {part !== null && part < 1 && <ProgressBar label={`Ingestion of ${document.title}`} part={part} />}
      {note !== undefined && <span className="min-w-0 text-muted wrap-anywhere">{note}</span>}
    </span>
  );
}

/** The list below has a new document with each upload that has arrived. */
function useListAnew(datasourceId: number, given: number): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (given > 0) void queries.invalidateQueries({ queryKey: ['datasource', datasourceId] });
  }, [datasourceId, given, queries]);
}
