import type { ExecutionStatus, Standing } from '../api/types.js';
import { isUuid } from '../format/ids.js';
import { moreFiltersOf, moreQueryOf, type MoreFilters } from './more-filters.js';

export const STATUSES: readonly ExecutionStatus[] = [
  'queued',
  'running',
  'requires_action',
  'completed',
  'incomplete',
  'failed',
  'cancelled',
];

/** How far back the list goes, by its name in the address, with the length in ms. */
const SINCE = {
  '15m': 15 * 60_000,
  '1h': 60 * 60_000,
  '24h': 24 * 60 * 60_000,
  '7d': 7 * 24 * 60 * 60_000,
} as const;
export type Since = keyof typeof SINCE;

/** Filter of the list of runs, as the address of the page holds it. Only what is set is there. */
export interface RunsFilter extends MoreFilters {
  /** Statuses with commas between. */
  readonly status?: string;
  readonly agent?: number;
  readonly session?: string;
  readonly since?: Since;
}

/** Takes the parts of an address that make sense and passes over all others. Pure. */
export function runsFilterOf(search: Readonly<Record<string, unknown>>): RunsFilter {
  const status = statusesOf(search['status']).join(',');
  const agent = Number(search['agent']);
  const hasAgent = Number.isInteger(agent) && agent > 0;
  const { session, since } = search;
  return {
    ...(status === '' ? {} : { status }),
    ...(hasAgent ? { agent } : {}),
    ...(typeof session === 'string' && isUuid(session) ? { session } : {}),
    ...moreFiltersOf(search, hasAgent),
    ...(typeof since === 'string' && Object.hasOwn(SINCE, since) ? { since: since as Since } : {}),
  };
}

/** The known statuses of a list with commas, in the order of the page. Pure. */
export function statusesOf(list: unknown): ExecutionStatus[] {
  if (typeof list !== 'string') return [];
  const named = new Set(list.split(','));
  return STATUSES.filter((status) => named.has(status));
}

/** Adds a status to those of the filter, or takes it away; none is left out of the address. Pure. */
export function withStatusToggled(filter: RunsFilter, status: ExecutionStatus): RunsFilter {
  const named = new Set(statusesOf(filter.status));
  if (!named.delete(status)) named.add(status);
  const { status: _, ...rest } = filter;
  return named.size === 0 ? rest : { ...rest, status: STATUSES.filter((each) => named.has(each)).join(',') };
}

/**
 * Whether a changed run may be one of the list, or have been. Its status may have been another one before, and a change
 * does not name what most typed filters ask for. Pure.
 */
export function concerns(
  { agent, session, error }: RunsFilter,
  standing: Pick<Standing, 'agent_id' | 'session_uuid' | 'error_code'>,
): boolean {
  return (
    (agent ?? standing.agent_id) === standing.agent_id &&
    (session ?? standing.session_uuid) === standing.session_uuid &&
    (error ?? standing.error_code) === standing.error_code
  );
}

export const isFiltered = (filter: RunsFilter): boolean => Object.keys(filter).length > 0;

/**
 * Query parameters of the API for a filter. The start of a period is cut to the minute, so that pages and refreshes ask
 * the same. Pure.
 * @param now Unix time in ms
 */
export function queryOf(filter: RunsFilter, now: number) {
  const { status, agent, session, since } = filter;
  const minute = Math.floor(now / 60_000) * 60_000;
  return {
    ...(status === undefined ? {} : { status }),
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(session === undefined ? {} : { session_uuid: session }),
    ...moreQueryOf(filter),
    ...(since === undefined ? {} : { from: new Date(minute - SINCE[since]).toISOString() }),
  };
}
