import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Copy, ListTree, Power } from 'lucide-react';
import { toast } from 'sonner';
import { answerOf, api } from '../api/client.js';
import type { AgentVersion } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { ActiveState } from '../ui/active-state.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/confirm.js';
import { EditorHeader } from '../ui/editor-header.js';
import { Time } from '../ui/time.js';
import { isBroken } from './draft/agent-draft.js';
import type { AgentEditor } from './use-agent-editor.js';
import { toastProblem } from '../ui/problem-toast.js';

/** Name and version of an agent, and what can be done with it as a whole. */
export function AgentHeader({
  newest,
  editor,
}: {
  readonly newest: AgentVersion;
  readonly editor: AgentEditor;
}) {
  const navigate = useNavigate();
  const missingScope = useMissingScope('agents:write');
  const { isDirty, draft } = editor;
  const unsaveable = isBroken(draft)
    ? 'The JSON has to be right first'
    : isDirty
      ? null
      : 'Nothing is changed';
  return (
    <EditorHeader
      list={
        <Link to="/agents" className="text-muted hover:underline">
          Agents
        </Link>
      }
      name={newest.name}
      facts={
        <>
          <ActiveState isActive={newest.is_active} />
          <span>id {newest.id}</span>
          <span>
            version {newest.version}, <Time at={newest.created_at} />
          </span>
        </>
      }
      actions={
        <>
          <Button onClick={() => void navigate({ to: '/runs', search: { agent: newest.id } })}>
            <ListTree aria-hidden className="size-3.5" /> Runs
          </Button>
          <Button
            title="A new agent with the same content"
            onClick={() => void navigate({ to: '/agents/new', search: { from: newest.id } })}
          >
            <Copy aria-hidden className="size-3.5" /> Copy
          </Button>
          <ActiveButton agent={newest} />
        </>
      }
      editor={editor}
      unavailable={missingScope ?? unsaveable}
    />
  );
}

function ActiveButton({ agent }: { readonly agent: AgentVersion }) {
  const queries = useQueryClient();
  const missingScope = useMissingScope('agents:write');
  const [isAsking, setIsAsking] = useState(false);
  const { id, name, is_active: isActive } = agent;
  const switching = useMutation({
    mutationFn: async (next: boolean) => {
      const params = { path: { id } };
      if (next) await answerOf(api.PATCH('/api/agents/{id}/', { params, body: { is_active: true } }));
      else await answerOf(api.DELETE('/api/agents/{id}/', { params }));
    },
    onSuccess: (_answer, next) => {
      if (next) toast.success(`${name} is active`);
      else
        toast.success(`${name} is inactive`, {
          action: { label: 'Undo', onClick: () => switching.mutate(true) },
        });
    },
    onError: toastProblem,
    onSettled: () => {
      setIsAsking(false);
      return queries.invalidateQueries({ queryKey: ['agents'] });
    },
  });
  return (
    <>
      <Button
        unavailable={missingScope}
        disabled={switching.isPending}
        onClick={() => (isActive ? setIsAsking(true) : switching.mutate(true))}
      >
        <Power aria-hidden className="size-3.5" /> {isActive ? 'Deactivate …' : 'Activate'}
      </Button>
      {isAsking && (
        <Confirm
          title={`Deactivate ${name}?`}
          action="Deactivate"
          isPending={switching.isPending}
          onClose={() => setIsAsking(false)}
          onConfirm={() => switching.mutate(false)}
        >
          <p>
            It takes no more runs, and those that wait for it fail. Sessions and versions stay readable, and
            it can be activated again.
          </p>
        </Confirm>
      )}
    </>
  );
}
