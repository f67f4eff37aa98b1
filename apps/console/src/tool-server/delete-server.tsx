import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { toast } from 'sonner';
import { namesIn } from '../agent/draft/tool-selection.js';
import { agentsQuery } from '../api/agents.js';
import { answerOf, api } from '../api/client.js';
import type { ToolServer } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/confirm.js';
import { ProblemNotice } from '../ui/notice.js';

/** Deletes the server as it is shown, after asking: agents that name it fail from then on. */
export function DeleteServer({ server, tag }: { readonly server: ToolServer; readonly tag: string }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const missingScope = useMissingScope('agents:write');
  const agents = useQuery(agentsQuery);
  const [isAsking, setIsAsking] = useState(false);
  const { id, name } = server;
  const deleting = useMutation({
    mutationFn: () =>
      answerOf(
        api.DELETE('/api/mcp-servers/{id}/', { params: { path: { id }, header: { 'If-Match': tag } } }),
      ),
    onSuccess: async () => {
      toast.success(`${name} is deleted`);
      await navigate({ to: '/tools', search: { tab: 'servers' }, ignoreBlocker: true });
      queries.removeQueries({ queryKey: ['tool-servers', id] });
      void queries.invalidateQueries({ queryKey: ['tool-servers', 'all'] });
      void queries.invalidateQueries({ queryKey: ['tools'] });
    },
  });
  const naming = (agents.data ?? []).filter(
    ({ is_active: isActive, tools }) =>
      isActive && namesIn(tools, 'servers').some((each) => each.startsWith(`mcp__${name}__`)),
  );
  return (
    <>
      <Button
        unavailable={missingScope}
        onClick={() => {
          deleting.reset();
          setIsAsking(true);
        }}
      >
        <Trash2 aria-hidden className="size-3.5" /> Delete …
      </Button>
      {isAsking && (
        <Confirm
          title={`Delete ${name}?`}
          action={`Delete ${name}`}
          isPending={deleting.isPending}
          onClose={() => setIsAsking(false)}
          onConfirm={() => deleting.mutate()}
        >
          <p>
            Runs that have begun with its tools cannot go on with them, and connections of users to it are
            taken back. Nothing brings it back.
          </p>
          {naming.length > 0 && (
            <p className="text-failed">
              Agents that name it fail until they are changed:{' '}
              {naming
                .slice(0, 10)
                .map((agent) => agent.name)
                .join(', ')}
              {naming.length > 10 && ` and ${naming.length - 10} more`}.
            </p>
          )}
          {deleting.isError && <ProblemNotice error={deleting.error} title="It was not deleted" />}
        </Confirm>
      )}
    </>
  );
}
