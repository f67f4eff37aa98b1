import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toast } from 'sonner';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import { sessionQuery } from '../api/sessions.js';
import type { Session } from '../api/types.js';
import { SessionTitle } from '../sessions/session-title.js';
import { Confirm } from '../ui/confirm.js';

interface ConfirmSessionProps {
  readonly session: Session;
  readonly action: 'reset' | 'delete';
  readonly onClose: () => void;
}

const WORDS = {
  reset: {
    title: 'Reset the session?',
    effect:
      'The model of the next turn sees nothing of the turns so far, and no summary of them. They stay readable. This cannot be undone.',
    button: 'Reset it',
    done: 'Reset: the next turn begins afresh',
  },
  delete: {
    title: 'Delete the session?',
    effect:
      'Its messages, runs, steps and files are deleted with it, for good. What it has cost stays in the accounts, and what was learnt of it stays remembered.',
    button: 'Delete it',
    done: 'Session deleted',
  },
} as const;

/** Asks before something is done that cannot be undone; a refusal is shown in place. */
export function ConfirmSession({ session, action, onClose }: ConfirmSessionProps) {
  const words = WORDS[action];
  const acting = useAction(session.uuid, action, onClose);
  return (
    <Confirm
      title={words.title}
      action={words.button}
      refusal="Leave it"
      isPending={acting.isPending}
      error={acting.error}
      onConfirm={() => acting.mutate()}
      onClose={onClose}
    >
      <p className="font-medium">
        <SessionTitle session={session} />
        <span className="ml-2 font-normal text-muted">
          {session.turn_count} {session.turn_count === 1 ? 'turn' : 'turns'}
        </span>
      </p>
      <p>{words.effect}</p>
    </Confirm>
  );
}

function useAction(uuid: string, action: ConfirmSessionProps['action'], onClose: () => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (): Promise<Session | null> => {
      const path = { uuid };
      if (action === 'delete') {
        await answerOf(api.DELETE('/api/sessions/{uuid}/', { params: { path } }));
        return null;
      }
      const params = { path, header: newIdempotencyKey() };
      return answerOf(api.POST('/api/sessions/{uuid}/reset/', { params }));
    },
    onSuccess: async (session) => {
      toast.success(WORDS[action].done);
      onClose();
      if (session === null) {
        await navigate({ to: '/sessions' });
        queries.removeQueries({ queryKey: ['session', uuid] });
      } else {
        queries.setQueryData(sessionQuery(uuid).queryKey, session);
        await queries.invalidateQueries({ queryKey: ['session', uuid, 'summary'] });
      }
      await queries.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
}
