import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { toast } from 'sonner';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import { faultsBeside, fieldFaultsOf } from '../api/form-faults.js';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import { FormProblem } from '../ui/form-problem.js';
import { useKeys } from '../ui/keys.js';
import { LeaveGuard } from '../ui/leave-guard.js';
import { bodyOf } from './server-change.js';
import { EMPTY_SERVER } from './server-draft.js';
import { ServerForm, SERVER_PLACES } from './server-form.js';

export function NewToolServerScreen() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const missingScope = useMissingScope('agents:write');
  const [draft, setDraft] = useState(EMPTY_SERVER);
  // One key for each content: a repeated try makes no second server, and a mended one is another request.
  const [sent, setSent] = useState({ draft, header: newIdempotencyKey() });
  const creating = useMutation({
    mutationFn: ({ header }: { readonly header: ReturnType<typeof newIdempotencyKey> }) =>
      answerOf(api.POST('/api/mcp-servers/', { params: { header }, body: bodyOf(draft) })),
    onSuccess: async ({ id, name }) => {
      toast.success(`${name} is registered. A probe lists its tools.`);
      void queries.invalidateQueries({ queryKey: ['tool-servers', 'all'] });
      await navigate({ to: '/tools/servers/$id', params: { id }, replace: true, ignoreBlocker: true });
    },
  });
  const create = (): void => {
    const now = sent.draft === draft ? sent : { draft, header: newIdempotencyKey() };
    setSent(now);
    creating.mutate(now);
  };
  const missing = draft.name === '' ? 'It needs a name' : null;
  useKeys({
    'mod+s': () => {
      if (missing === null && missingScope === null && !creating.isPending) create();
    },
    Escape: () => void navigate({ to: '/tools', search: { tab: 'servers' } }),
  });
  const faults = fieldFaultsOf(creating.error);
  const rest = faultsBeside(faults, SERVER_PLACES);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2">
        <h1 className="flex items-center gap-1.5 text-lg font-semibold">
          <Link to="/tools" search={{ tab: 'servers' }} className="text-muted hover:underline">
            Tools
          </Link>
          <span aria-hidden className="text-muted">
            /
          </span>
          New server
        </h1>
        <div className="flex-1" />
        <Button
          look="primary"
          title="Register (Ctrl S)"
          unavailable={missingScope ?? missing}
          disabled={creating.isPending}
          onClick={create}
        >
          {creating.isPending ? 'Registering …' : 'Register'}
        </Button>
      </header>
      <FormProblem error={creating.error} marked={faults.length - rest.length} rest={rest} />
      <LeaveGuard
        isDirty={draft !== EMPTY_SERVER && !creating.isSuccess}
        name="the new tool server"
        onLeave={() => undefined}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <ServerForm
          draft={draft}
          toolNames={[]}
          faults={faults}
          onChange={(part) => setDraft((now) => ({ ...now, ...part }))}
        />
      </div>
    </div>
  );
}
