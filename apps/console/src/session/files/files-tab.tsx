import { useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { sessionFilesQuery } from '../../api/session-files.js';
import { useMissingScope } from '../../app/session.js';
import { formatBytes } from '../../format/amounts.js';
import { Button } from '../../ui/button.js';
import { DataList } from '../../ui/data-list.js';
import { DropNote } from '../../ui/drop-note.js';
import { Input } from '../../ui/field.js';
import { Command, Empty, ProblemNotice } from '../../ui/notice.js';
import { useDrop } from '../../ui/use-drop.js';
import { WithInspector } from '../../ui/with-inspector.js';
import { ConfirmReplacing } from './confirm-replacing.js';
import { fileColumns } from './file-columns.js';
import { FileInspector } from './file-inspector.js';
import { pathIn } from './file-path.js';
import { fileUploads, useFileUploads } from './file-uploads.js';
import { UploadRows } from './upload-rows.js';
import { useAddFiles } from './use-add-files.js';

interface FilesTabProps {
  readonly uuid: string;
  /** Path of the file that is open; null for none. */
  readonly openPath: string | null;
  readonly onOpen: (path: string | null) => void;
}

/** Files in the workspace of a session, which agents read and write with their tools. */
export function FilesTab({ uuid, openPath, onOpen }: FilesTabProps) {
  const files = useQuery(sessionFilesQuery(uuid));
  const missingScope = useMissingScope('executions:write');
  const [folder, setFolder] = useState('');
  const uploads = useFileUploads(uuid);
  const adding = useAddFiles(uuid);
  const chooser = useRef<HTMLInputElement>(null);
  const rows = files.data ?? [];
  const add = (chosen: readonly File[]): void =>
    adding.add(chosen.map((file) => ({ path: pathIn(folder, file.name), file })));
  const dropping = useDrop(missingScope === null, add);
  const open = rows.find(({ path }) => path === openPath);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col" {...dropping.handlers}>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <span role="status" className="text-sm text-muted">
          {rows.length} {rows.length === 1 ? 'file' : 'files'},{' '}
          {formatBytes(rows.reduce((sum, { size_bytes }) => sum + size_bytes, 0))}
        </span>
        <div className="flex-1" />
        <Input
          aria-label="Folder of uploads"
          placeholder="Into folder …"
          value={folder}
          maxLength={90}
          className="w-40"
          onChange={({ target }) => setFolder(target.value)}
        />
        <Button look="primary" unavailable={missingScope} onClick={() => chooser.current?.click()}>
          <FileUp aria-hidden className="size-3.5" /> Upload files
        </Button>
        <input
          ref={chooser}
          type="file"
          multiple
          aria-label="Files to upload"
          tabIndex={-1}
          className="hidden"
          onChange={({ target }) => {
            add([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      </div>
      <UploadRows
        uploads={uploads}
        onDrop={(key) => fileUploads.drop(key)}
        onRetry={(upload) => adding.retry(upload)}
      />
      {files.isError && files.data === undefined && (
        <ProblemNotice
          error={files.error}
          title="The files could not be read"
          onRetry={() => void files.refetch()}
        />
      )}
      {files.isSuccess && rows.length === 0 && <NoFiles uuid={uuid} />}
      {rows.length > 0 && (
        <WithInspector
          inspector={
            open !== undefined && (
              <FileInspector key={open.path} uuid={uuid} file={open} onClose={() => onOpen(null)} />
            )
          }
        >
          <DataList
            label="Files"
            rows={rows}
            columns={fileColumns(onOpen)}
            rowKey={({ path }) => path}
            selectedKey={openPath}
            onOpen={({ path }) => onOpen(path === openPath ? null : path)}
          />
        </WithInspector>
      )}
      {dropping.isOver && <DropNote>Drop files to add them to the session</DropNote>}
      {adding.asked.length > 0 && (
        <ConfirmReplacing
          files={adding.asked}
          onConfirm={() => adding.answer(true)}
          onClose={() => adding.answer(false)}
        />
      )}
    </div>
  );
}

function NoFiles({ uuid }: { readonly uuid: string }) {
  return (
    <Empty title="No files yet">
      <p className="text-muted">
        Agents with tools of the workspace write them here, and read what you bring. Drop files, or give one
        by the API:
      </p>
      <Command
        text={`curl -s -X PUT ${location.origin}/api/sessions/${uuid}/files/may.csv/ \\\n  -F file=@may.csv`}
      />
    </Empty>
  );
}
