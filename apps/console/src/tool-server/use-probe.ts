import { queryOptions, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';
import type { ToolServerProbe } from '../api/types.js';

/** Values that a probe or a trial brings for the placeholders of the server; they are kept nowhere. */
export interface Brought {
  readonly tokens: Readonly<Record<string, string>>;
  readonly user_id?: string;
}

export interface KnownProbe {
  readonly probe: ToolServerProbe;
  /** Time of the answer, ISO 8601. */
  readonly at: string;
}

/** The latest probe of this page: the API keeps the listed tools of a probe, and not its failure. */
const knownProbeQuery = (id: string) =>
  queryOptions({
    queryKey: ['tool-servers', id, 'probe'],
    queryFn: skipToken as unknown as () => Promise<KnownProbe>,
    enabled: false,
    staleTime: Infinity,
    gcTime: Infinity,
  });

/** Probes a server, and what came of it, as long as the page is open. */
export function useProbe(id: string) {
  const queries = useQueryClient();
  const known = useQuery(knownProbeQuery(id));
  const probing = useMutation({
    mutationFn: (brought: Brought) =>
      answerOf(api.POST('/api/mcp-servers/{id}/probe/', { params: { path: { id } }, body: { ...brought } })),
    onSuccess: (probe) => {
      const result: KnownProbe = { probe, at: new Date().toISOString() };
      queries.setQueryData(knownProbeQuery(id).queryKey, result);
      return queries.invalidateQueries({ queryKey: ['tools'] });
    },
  });
  return { known: known.data ?? null, probing };
}
