import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readAllPages } from '../api/all-pages.js';
import { answerOf, api } from '../api/client.js';
import type { ToolServer } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { consentOf } from '../tool-server/server-needs.js';

/** Whether users have to agree to the use of a server, and how many users have. */
export function ConsentState({ server }: { readonly server: ToolServer }) {
  const consent = consentOf(server);
  const isPerUser = consent === 'each user';
  const mayRead = useMissingScope('connections:write') === null;
  const connections = useQuery({
    queryKey: ['connections', 'of-server', server.id],
    staleTime: 60_000,
    enabled: isPerUser && mayRead,
    queryFn: ({ signal }) =>
      readAllPages((query) =>
        answerOf(
          api.GET('/api/connections/', { params: { query: { ...query, server_id: server.id } }, signal }),
        ),
      ),
  });
  if (consent === null) return <span className="text-muted">none needed</span>;
  if (!isPerUser || connections.data === undefined) return consent;
  const count = (status: string): number => connections.data.filter((each) => each.status === status).length;
  const broken = count('needs_reconnect');
  return (
    <Link to="/tools" search={{ tab: 'connections' }} className="hover:underline">
      {count('connected')} connected
      {broken > 0 && <span className="text-action">, {broken} to renew</span>}
    </Link>
  );
}
