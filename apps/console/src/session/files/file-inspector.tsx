import { useMemo, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { toast } from 'sonner';
import {
  deleteSessionFile,
  sessionFileBytesQuery,
  sessionFilesQuery,
  sessionFileUrl,
} from '../../api/session-files.js';
import type { SessionFile } from '../../api/types.js';
import { useMissingScope } from '../../app/session.js';
import { formatBytes } from '../../format/amounts.js';
import { Button } from '../../ui/button.js';
import { Confirm } from '../../ui/confirm.js';
import { CopyButton } from '../../ui/copy-button.js';
import { DownloadLink } from '../../ui/download-link.js';
import { Inspector } from '../../ui/inspector.js';
import { LongText } from '../../ui/long-text.js';
import { ProblemNotice, Reading } from '../../ui/notice.js';
import { Time } from '../../ui/time.js';
import { textOfBytes } from './text-of-bytes.js';

interface FileInspectorProps {
  readonly uuid: string;
  readonly file: SessionFile;
  readonly onClose: () => void;
}

/** One file of a session: its text, and what can be done with it. */
export function FileInspector({ uuid, file, onClose }: FileInspectorProps) {
  const { path, size_bytes: size, sha256, updated_at: changed } = file;
  return (
    <Inspector label="File" title={<span className="font-mono text-base">{path}</span>} onClose={onClose}>
      <div className="flex flex-wrap gap-2">
        <DownloadLink href={sessionFileUrl(uuid, path)} />
        <DeleteFile uuid={uuid} file={file} onDeleted={onClose} />
      </div>
      <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-y-1 [&_dt]:text-muted">
        <dt>Size</dt>
        <dd>{formatBytes(size)}</dd>
        <dt>Changed</dt>
        <dd>
          <Time at={changed} />
        </dd>
        <dt>SHA-256</dt>
        <dd className="flex items-center gap-1">
          <span className="truncate font-mono text-sm" title={sha256}>
            {sha256}
          </span>
          <CopyButton text={sha256} label="Copy the SHA-256" />
        </dd>
      </dl>
      <Contents uuid={uuid} file={file} />
    </Inspector>
  );
}

/** Foreign text, which is shown as it is. */
function Contents({ uuid, file }: Pick<FileInspectorProps, 'uuid' | 'file'>) {
  const bytes = useQuery(sessionFileBytesQuery(uuid, file));
  const text = useMemo(() => (bytes.data === undefined ? null : textOfBytes(bytes.data)), [bytes.data]);
  if (bytes.isError) {
    return (
      <ProblemNotice
        error={bytes.error}
        title="The file could not be read"
        onRetry={() => void bytes.refetch()}
      />
    );
  }
  if (bytes.data === undefined) {
    return <Reading />;
  }
  if (text === null) return <p className="text-muted">It is no text: download it to see what is in it.</p>;
  return (
    <section aria-label="Text">
      {text === '' ? (
        <p className="text-muted">It is empty.</p>
      ) : (
        <LongText
          text={text}
          fileName={file.path.split('/').at(-1) ?? file.path}
          className="font-mono text-sm"
        />
      )}
    </section>
  );
}

function DeleteFile({
  uuid,
  file,
  onDeleted,
}: Pick<FileInspectorProps, 'uuid' | 'file'> & { readonly onDeleted: () => void }) {
  const queries = useQueryClient();
  const missingScope = useMissingScope('executions:write');
  /** The file as it was when the question was asked: an agent may write it meantime. */
  const [asked, setAsked] = useState<SessionFile | null>(null);
  const deleting = useMutation({
    mutationFn: (seen: SessionFile) => deleteSessionFile(uuid, seen),
    onSuccess: (_nothing, { path }) => {
      toast.success(`${path} is deleted`);
      onDeleted();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sessionFilesQuery(uuid).queryKey }),
  });
  const ask = (): void => {
    deleting.reset();
    setAsked(file);
  };
  return (
    <>
      <Button look="danger" unavailable={missingScope} onClick={ask}>
        <Trash2 aria-hidden className="size-3.5" /> Delete …
      </Button>
      {asked !== null && (
        <Confirm
          title={`Delete ${asked.path}?`}
          action="Delete"
          isPending={deleting.isPending}
          error={deleting.error}
          onConfirm={() => deleting.mutate(asked)}
          onClose={() => setAsked(null)}
        >
          <p>It is gone at once, also for agents that are at work. This cannot be undone.</p>
        </Confirm>
      )}
    </>
  );
}
