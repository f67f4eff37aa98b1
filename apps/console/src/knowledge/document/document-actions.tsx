import { useRef, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, FileUp, RotateCcw, Trash2 } from 'lucide-react';
import { toast } from 'sonner';
import { answerOf, api } from '../../api/client.js';
import type { KnowledgeDocument } from '../../api/types.js';
import { useMissingScope } from '../../app/session.js';
import { Confirm } from '../../ui/confirm.js';
import { Button } from '../../ui/button.js';
import { DownloadLink } from '../../ui/download-link.js';
import { ProgressBar } from '../../ui/progress-bar.js';
import { ingestAgain, replaceByFile } from './give-anew.js';
import { toastProblem } from '../../ui/problem-toast.js';

/** Download, replacement, another ingestion and deletion of a document. */
export function DocumentActions({ document }: { readonly document: KnowledgeDocument }) {
  const { id, title, size_bytes: bytes, url } = document;
  const queries = useQueryClient();
  const missingScope = useMissingScope('agents:write');
  const [isAsking, setIsAsking] = useState(false);
  const [sent, setSent] = useState<number | null>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const giving = useMutation({
    mutationFn: (file: File | null) =>
      file === null ? ingestAgain(document, setSent) : replaceByFile(id, file, setSent),
    onSuccess: () => toast.success('It is read anew; until it is ready, the old one is searched'),
    onError: toastProblem,
    onSettled: () => {
      setSent(null);
      void queries.invalidateQueries({ queryKey: ['document', id] });
      return queries.invalidateQueries({ queryKey: ['datasource', document.datasource_id] });
    },
  });
  const notThere = bytes === null ? 'Its bytes have not been fetched yet' : null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {sent !== null && (
        <span className="inline-flex w-24">
          <ProgressBar label="Upload" part={sent} />
        </span>
      )}
      {notThere === null ? (
        <DownloadLink href={`/api/documents/${id}/content/`} />
      ) : (
        <Button unavailable={notThere}>
          <Download aria-hidden className="size-3.5" /> Download
        </Button>
      )}
      <Button
        unavailable={missingScope ?? (url === null ? notThere : null)}
        disabled={giving.isPending}
        onClick={() => giving.mutate(null)}
      >
        <RotateCcw aria-hidden className="size-3.5" /> {url === null ? 'Ingest again' : 'Fetch again'}
      </Button>
      <Button unavailable={missingScope} disabled={giving.isPending} onClick={() => chooser.current?.click()}>
        <FileUp aria-hidden className="size-3.5" /> Replace …
      </Button>
      <input
        ref={chooser}
        type="file"
        aria-label={`New content of ${title}`}
        tabIndex={-1}
        className="hidden"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined) giving.mutate(file);
          target.value = '';
        }}
      />
      <Button look="danger" unavailable={missingScope} onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden className="size-3.5" /> Delete …
      </Button>
      {isAsking && <Deletion document={document} onClose={() => setIsAsking(false)} />}
    </div>
  );
}

function Deletion({
  document,
  onClose,
}: {
  readonly document: KnowledgeDocument;
  readonly onClose: () => void;
}) {
  const { id, title, datasource_id: datasourceId } = document;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const deleting = useMutation({
    mutationFn: () => answerOf(api.DELETE('/api/documents/{id}/', { params: { path: { id } } })),
    onSuccess: async () => {
      toast.success(`${title} is deleted`);
      await navigate({ to: '/knowledge/$id', params: { id: String(datasourceId) } });
      queries.removeQueries({ queryKey: ['document', id] });
      return queries.invalidateQueries({ queryKey: ['datasource', datasourceId] });
    },
  });
  return (
    <Confirm
      title="Delete the document?"
      action="Delete"
      refusal="Leave it"
      isPending={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      <p>
        <strong>{title}</strong> is no longer found by any search, at once, and its file is removed.
      </p>
    </Confirm>
  );
}
