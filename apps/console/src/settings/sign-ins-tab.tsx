import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { toast } from 'sonner';
import { answerOf, api } from '../api/client.js';
import type { ConsoleSession } from '../api/types.js';
import { consoleSessionQuery } from '../api/console-session.js';
import { useMissingScope } from '../app/session.js';
import type { Column } from '../ui/data-list.js';
import { Empty } from '../ui/notice.js';
import { Time } from '../ui/time.js';
import { Confirm } from '../ui/confirm.js';
import { PagedList } from '../ui/paged-list.js';
import { AskingButton } from './parts/asking-button.js';
import { ListHead } from './parts/list-head.js';
import { usePages } from './parts/use-pages.js';

const KEY = ['settings', 'console-sessions'];

const COLUMNS: readonly Column<ConsoleSession>[] = [
  {
    id: 'key',
    header: 'Signed in with',
    track: 'minmax(9rem, 1fr)',
    cell: ({ key_name, is_current }) => (
      <>
        {key_name}
        {is_current && <span className="ml-2 text-sm text-accent">this browser</span>}
      </>
    ),
  },
  { id: 'tenant', header: 'Tenant', track: '9rem', from: 700, cell: ({ tenant_id }) => tenant_id },
  {
    id: 'scopes',
    header: 'Scopes',
    track: 'minmax(8rem, 1fr)',
    from: 860,
    cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
  },
  {
    id: 'created',
    header: 'Since',
    track: '6rem',
    from: 460,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    id: 'expires',
    header: 'Ends',
    track: '6rem',
    from: 560,
    cell: ({ expires_at }) => <Time at={expires_at} />,
  },
  {
    id: 'end',
    header: 'Action',
    track: '5.5rem',
    isNumber: true,
    cell: (session) => <EndSession session={session} />,
  },
];

/** Browsers that are signed in to the console. */
export function SignInsTab() {
  const { data: caller } = useSuspenseQuery(consoleSessionQuery);
  const missingAdmin = useMissingScope('admin');
  const list = usePages<ConsoleSession>(KEY, (query, signal) =>
    answerOf(api.GET('/api/console-sessions/', { params: { query }, signal })),
  );
  const isOff = caller?.auth === 'off';
  return (
    <>
      <ListHead>
        <p className="text-muted">
          {missingAdmin === null
            ? 'Browsers that are signed in with any key of the tenant.'
            : `Browsers that are signed in with this key. To see those of all keys: ${missingAdmin.toLowerCase()}.`}
        </p>
      </ListHead>
      <PagedList
        label="Sign-ins"
        query={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        onOpen={() => undefined}
        empty={
          <Empty title={isOff ? 'No sign-in is needed' : 'No browser is signed in'}>
            <p className="text-muted">
              {isOff
                ? 'The service runs with AUTH=off: every request may do everything. Set AUTH=api-key to ask for keys.'
                : 'A sign-in with an API key appears here.'}
            </p>
          </Empty>
        }
      />
    </>
  );
}

function EndSession({ session }: { readonly session: ConsoleSession }) {
  const queries = useQueryClient();
  const ending = useMutation({
    mutationFn: () =>
      answerOf(api.DELETE('/api/console-sessions/{id}/', { params: { path: { id: session.id } } })),
    onSuccess: () => {
      toast.success('The session has ended');
      return session.is_current ? queries.resetQueries() : queries.invalidateQueries({ queryKey: KEY });
    },
  });
  return (
    <AskingButton
      className="h-7"
      dialog={(close) => (
        <Confirm
          title={`End the session of ${session.key_name}?`}
          action="End the session"
          isPending={ending.isPending}
          error={ending.error}
          onConfirm={() => ending.mutate(undefined, { onSuccess: close })}
          onClose={close}
        >
          <p>
            {session.is_current
              ? 'It is the session of this browser: you have to sign in again.'
              : 'Its browser is signed out with its next request.'}
          </p>
        </Confirm>
      )}
    >
      End …
    </AskingButton>
  );
}
