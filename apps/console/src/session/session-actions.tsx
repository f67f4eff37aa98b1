import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Archive, ArchiveRestore, ArrowDown, MessageCirclePlus, RotateCcw, Trash } from 'lucide-react';
import { toast } from 'sonner';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import { sessionQuery } from '../api/sessions.js';
import type { Session } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import { ConfirmSession } from './confirm-session.js';
import { toastProblem } from '../ui/problem-toast.js';

interface SessionActionsProps {
  readonly session: Session;
  readonly onNewest: () => void;
}

export function SessionActions({ session, onNewest }: SessionActionsProps) {
  const navigate = useNavigate();
  const missingScope = useMissingScope('sessions:write');
  const [asked, setAsked] = useState<'reset' | 'delete' | null>(null);
  const { uuid, agent_id, is_archived } = session;
  return (
    <div className="flex flex-wrap gap-2">
      {session.turn_count > 1 && (
        <Button onClick={onNewest}>
          <ArrowDown aria-hidden className="size-3.5" /> Newest turn
        </Button>
      )}
      {agent_id !== null && (
        <Button
          unavailable={is_archived ? 'An archived session takes no executions' : null}
          onClick={() => void navigate({ to: '/try', search: { agent: agent_id, session: uuid } })}
        >
          <MessageCirclePlus aria-hidden className="size-3.5" /> Continue in Try
        </Button>
      )}
      <ArchiveButton session={session} />
      <Button unavailable={missingScope} onClick={() => setAsked('reset')}>
        <RotateCcw aria-hidden className="size-3.5" /> Reset …
      </Button>
      <Button look="danger" unavailable={missingScope} onClick={() => setAsked('delete')}>
        <Trash aria-hidden className="size-3.5" /> Delete …
      </Button>
      {asked !== null && <ConfirmSession session={session} action={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}

/** Archives at once, since it can be undone. */
function ArchiveButton({ session: { uuid, is_archived } }: { readonly session: Session }) {
  const queries = useQueryClient();
  const missingScope = useMissingScope('sessions:write');
  const archiving = useMutation({
    mutationFn: (isArchived: boolean) => {
      const request = { params: { path: { uuid }, header: newIdempotencyKey() } };
      return answerOf(
        isArchived
          ? api.POST('/api/sessions/{uuid}/archive/', request)
          : api.POST('/api/sessions/{uuid}/unarchive/', request),
      );
    },
    onSuccess: (session, isArchived) => {
      queries.setQueryData(sessionQuery(uuid).queryKey, session);
      const undo = { label: 'Undo', onClick: () => archiving.mutate(!isArchived) };
      toast.success(isArchived ? 'Archived' : 'Taken out of the archive', { action: undo });
      return queries.invalidateQueries({ queryKey: ['sessions'] });
    },
    onError: toastProblem,
  });
  const Icon = is_archived ? ArchiveRestore : Archive;
  return (
    <Button
      unavailable={missingScope}
      disabled={archiving.isPending}
      onClick={() => archiving.mutate(!is_archived)}
    >
      <Icon aria-hidden className="size-3.5" /> {is_archived ? 'Unarchive' : 'Archive'}
    </Button>
  );
}
