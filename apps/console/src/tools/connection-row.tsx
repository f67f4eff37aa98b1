import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, CircleCheck, CircleDashed, TriangleAlert, type LucideIcon } from 'lucide-react';
import { toast } from 'sonner';
import { clsx } from 'clsx';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import type { Connection } from '../api/types.js';
import { Button } from '../ui/button.js';
import { ClippedText } from '../ui/clipped-text.js';
import { Confirm } from '../ui/confirm.js';
import { Time } from '../ui/time.js';
import { toastProblem } from '../ui/problem-toast.js';

interface Look {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly colour: string;
}

const LOOK: Readonly<Record<Connection['status'], Look>> = {
  pending: { word: 'Waits for the user', icon: CircleDashed, colour: 'text-muted' },
  connected: { word: 'Connected', icon: CircleCheck, colour: 'text-done' },
  needs_reconnect: { word: 'Needs to reconnect', icon: TriangleAlert, colour: 'text-action' },
  revoked: { word: 'Revoked', icon: Ban, colour: 'text-muted' },
};

const REASONS: Readonly<Record<string, string>> = {
  refused: 'refused by the authorization server',
  expired: 'expired, and cannot be renewed',
  refresh_lost: 'lost while it was renewed',
};

/** The consent of one user to one server, and the way to take it back. */
export function ConnectionRow({
  connection,
  serverName,
}: {
  readonly connection: Connection;
  readonly serverName: string;
}) {
  const {
    status,
    reason,
    scope,
    missing_scope: missing,
    user_id: user,
    connected_at: connectedAt,
  } = connection;
  const { word, icon: Icon, colour } = LOOK[status];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2">
      <div className="min-w-40 flex-1">
        <p className="font-medium" title={user}>
          <ClippedText text={user} />
        </p>
        <p className="truncate text-sm text-muted">
          <Link to="/tools/servers/$id" params={{ id: connection.server_id }} className="hover:underline">
            {serverName}
          </Link>
          {scope !== null && `, ${scope}`}
        </p>
      </div>
      <div className="w-52">
        <p className={clsx('flex items-center gap-1.5', colour)}>
          <Icon aria-hidden className="size-3.5 shrink-0" />
          {word}
        </p>
        {reason !== null && <p className="text-sm text-muted">{REASONS[reason] ?? reason}</p>}
        {missing !== null && <p className="text-sm text-action">misses {missing}</p>}
      </div>
      <span className="w-24 text-right text-muted">
        <Time at={connectedAt ?? connection.created_at} />
      </span>
      <Actions connection={connection} serverName={serverName} />
    </li>
  );
}

type Action = 'revoke' | 'delete';

function Actions({
  connection,
  serverName,
}: {
  readonly connection: Connection;
  readonly serverName: string;
}) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Action | null>(null);
  const { id, user_id: user, status } = connection;
  const acting = useMutation({
    mutationFn: async (action: Action) => {
      const path = { id };
      if (action === 'delete') await answerOf(api.DELETE('/api/connections/{id}/', { params: { path } }));
      else {
        const params = { path, header: newIdempotencyKey() };
        await answerOf(api.POST('/api/connections/{id}/revoke/', { params }));
      }
    },
    onSuccess: (_nothing, action) =>
      toast.success(`The connection of ${user} is ${action === 'delete' ? 'deleted' : 'revoked'}`),
    onError: toastProblem,
    onSettled: () => {
      setAsked(null);
      return queries.invalidateQueries({ queryKey: ['connections'] });
    },
  });
  return (
    <div className="flex gap-2">
      <Button
        unavailable={status === 'revoked' ? 'It is revoked already' : null}
        aria-label={`Revoke the connection of ${user} to ${serverName}`}
        onClick={() => setAsked('revoke')}
      >
        Revoke …
      </Button>
      <Button
        look="quiet"
        aria-label={`Delete the connection of ${user} to ${serverName}`}
        onClick={() => setAsked('delete')}
      >
        Delete …
      </Button>
      {asked !== null && (
        <Confirm
          title={`${asked === 'delete' ? 'Delete' : 'Revoke'} the connection of ${user}?`}
          action={asked === 'delete' ? 'Delete' : 'Revoke'}
          isPending={acting.isPending}
          onClose={() => setAsked(null)}
          onConfirm={() => acting.mutate(asked)}
        >
          <p>
            {serverName} is not used on behalf of {user} any more, until they connect again. The authorization
            server is asked to forget the tokens.
          </p>
        </Confirm>
      )}
    </div>
  );
}
