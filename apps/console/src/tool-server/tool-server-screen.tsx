import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { faultsBeside } from '../api/form-faults.js';
import { toolsQuery } from '../api/tools.js';
import { useMissingScope } from '../app/session.js';
import { ActiveState } from '../ui/active-state.js';
import { Button } from '../ui/button.js';
import { EditorHeader } from '../ui/editor-header.js';
import { FormProblem } from '../ui/form-problem.js';
import { useKeys } from '../ui/keys.js';
import { LeaveGuard } from '../ui/leave-guard.js';
import { ProblemNotice, Reading } from '../ui/notice.js';
import { Time } from '../ui/time.js';
import { DeleteServer } from './delete-server.js';
import { ProbeSection } from './probe-section.js';
import { ServerForm, SERVER_PLACES } from './server-form.js';
import { toolServerQuery, type TaggedServer } from './server-queries.js';
import { useServerEditor, type ServerEditor } from './use-server-editor.js';

const route = getRouteApi('/tools/servers/$id');

export function ToolServerScreen() {
  const { id } = route.useParams();
  const server = useQuery(toolServerQuery(id));
  if (server.data !== undefined) return <Server key={id} newest={server.data} />;
  if (server.isError) {
    return (
      <ProblemNotice
        error={server.error}
        title="The tool server could not be read"
        onRetry={() => void server.refetch()}
      />
    );
  }
  return <Reading />;
}

function Server({ newest }: { readonly newest: TaggedServer }) {
  const navigate = useNavigate();
  const editor = useServerEditor(newest);
  const tools = useQuery(toolsQuery);
  const { server } = newest;
  const { isDirty, faults } = editor;
  const names = (tools.data ?? []).flatMap((tool) =>
    tool.server?.id === server.id && tool.tool !== null ? [tool.tool] : [],
  );
  useKeys({
    'mod+s': () => {
      if (isDirty && !editor.isSaving) editor.save();
    },
    Escape: () => void navigate({ to: '/tools', search: { tab: 'servers' } }),
  });
  const rest = faultsBeside(faults, SERVER_PLACES);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Header newest={newest} editor={editor} />
      {editor.conflict !== null && <Conflict editor={editor} />}
      <FormProblem error={editor.error} marked={faults.length - rest.length} rest={rest} />
      <LeaveGuard isDirty={isDirty} name={`tool server ${server.name}`} onLeave={() => undefined} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <ProbeSection server={server} isDirty={isDirty} />
        <ServerForm draft={editor.draft} toolNames={names} faults={faults} onChange={editor.change} />
      </div>
    </div>
  );
}

function Header({
  newest: { server, tag },
  editor,
}: {
  readonly newest: TaggedServer;
  readonly editor: ServerEditor;
}) {
  const missingScope = useMissingScope('agents:write');
  return (
    <EditorHeader
      list={
        <Link to="/tools" search={{ tab: 'servers' }} className="text-muted hover:underline">
          Tools
        </Link>
      }
      name={server.name}
      facts={
        <>
          <ActiveState isActive={server.status === 'active'} />
          <span>{server.type}</span>
          <span>
            changed <Time at={server.updated_at} />
          </span>
        </>
      }
      actions={<DeleteServer server={server} tag={tag} />}
      editor={editor}
      unavailable={missingScope ?? (editor.isDirty ? null : 'Nothing is changed')}
    />
  );
}

function Conflict({ editor }: { readonly editor: ServerEditor }) {
  return (
    <div
      role="alert"
      className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-action-soft px-4 py-3"
    >
      <TriangleAlert aria-hidden className="size-4 text-action" />
      <p className="flex-1">
        <span className="font-semibold">It was changed since you opened it.</span> Your changes are of the
        version before; fields that you did not change can be taken from the new one.
      </p>
      <Button onClick={editor.rebase}>Put my changes on it</Button>
      <Button look="danger" onClick={editor.discard}>
        Discard my changes
      </Button>
    </div>
  );
}
