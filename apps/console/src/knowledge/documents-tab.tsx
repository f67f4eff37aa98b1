import { useRef, useState } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileUp, Plus } from 'lucide-react';
import type { Datasource } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import { DropNote } from '../ui/drop-note.js';
import { Select } from '../ui/field.js';
import { Command, Empty } from '../ui/notice.js';
import { PagedList } from '../ui/paged-list.js';
import { useDrop } from '../ui/use-drop.js';
import { documentColumns } from './document-columns.js';
import { STATE_GROUPS, type StateGroup } from './document-state.js';
import { documentsQuery } from './knowledge-queries.js';
import { NewDocumentForm } from './new-document-form.js';
import { documentUploads } from './uploads/upload-queue.js';
import { UploadsPanel } from './uploads/uploads-panel.js';

const GROUP_WORDS: Readonly<Record<StateGroup, string>> = {
  progress: 'In progress',
  ready: 'Ready',
  failed: 'Failed',
};

/** Documents of a datasource; files are added by a button, or dropped anywhere on it. */
export function DocumentsTab(props: {
  readonly datasource: Datasource;
  readonly group: StateGroup | undefined;
}) {
  const { datasource, group } = props;
  const { id } = datasource;
  const navigate = useNavigate();
  const documents = useInfiniteQuery(documentsQuery(id, group));
  const missingScope = useMissingScope('agents:write');
  const [isAdding, setIsAdding] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const addFiles = (files: readonly File[]): void =>
    documentUploads.add(files.map((file) => ({ file, place: { datasourceId: id } })));
  const drop = useDrop(missingScope === null, addFiles);
  const show = (next: StateGroup | undefined): void =>
    void navigate({
      to: '/knowledge/$id',
      params: { id: String(id) },
      search: next === undefined ? {} : { state: next },
      replace: true,
    });
  return (
    <div className="relative flex min-h-0 flex-1 flex-col" {...drop.handlers}>
      <div className="flex flex-wrap items-center gap-1.5 border-b border-line px-4 py-2">
        <Select
          aria-label="State"
          className="w-36"
          value={group ?? ''}
          onChange={({ target }) => show(STATE_GROUPS.find((each) => each === target.value))}
        >
          <option value="">Every state</option>
          {STATE_GROUPS.map((each) => (
            <option key={each} value={each}>
              {GROUP_WORDS[each]}
            </option>
          ))}
        </Select>
        <div className="flex-1" />
        <Button unavailable={missingScope} onClick={() => setIsAdding(true)}>
          <Plus aria-hidden className="size-3.5" /> Text or URL …
        </Button>
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
            addFiles([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      </div>
      <UploadsPanel datasourceId={id} />
      <PagedList
        query={documents}
        label="Documents"
        columns={documentColumns}
        rowKey={(document) => document.id}
        onOpen={(document) => void navigate({ to: '/knowledge/documents/$id', params: { id: document.id } })}
        empty={<NoDocuments group={group} datasourceId={id} onClear={() => show(undefined)} />}
      />
      {drop.isOver && <DropNote>Drop files to add them to {datasource.name}</DropNote>}
      {isAdding && <NewDocumentForm datasourceId={id} onClose={() => setIsAdding(false)} />}
    </div>
  );
}

function NoDocuments(props: {
  readonly group: StateGroup | undefined;
  readonly datasourceId: number;
  readonly onClear: () => void;
}) {
  if (props.group !== undefined) {
    return (
      <Empty title="No document is in this state">
        <Button onClick={props.onClear}>Show every state</Button>
      </Empty>
    );
  }
  return (
    <Empty title="No documents yet">
      <p className="text-muted">Drop files here, or give one by the API:</p>
      <Command
        text={`curl -s ${location.origin}/api/documents/ \\\n  -F datasource_id=${props.datasourceId} -F file=@handbook.pdf`}
      />
    </Empty>
  );
}
