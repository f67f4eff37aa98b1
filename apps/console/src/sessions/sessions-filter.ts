/** How far back the list goes, by its name in the address, with the length in ms. */
const SINCE = {
  '24h': 24 * 60 * 60_000,
  '7d': 7 * 24 * 60 * 60_000,
  '30d': 30 * 24 * 60 * 60_000,
} as const;
export type Since = keyof typeof SINCE;

const MAX_EXECUTOR = 200;

/** Filter of the list of sessions, as the address of the page holds it. Only what is set is there. */
export interface SessionsFilter {
  readonly agent?: number;
  /** `user_id` of the executor of one of its runs. */
  readonly executor?: string;
  /** True lists the archived sessions, otherwise the others. */
  readonly archived?: true;
  readonly since?: Since;
}

/** Takes the parts of an address that make sense and passes over all others. Pure. */
export function sessionsFilterOf(search: Readonly<Record<string, unknown>>): SessionsFilter {
  const agent = Number(search['agent']);
  const { since } = search;
  const executor = executorOf(search['executor']);
  return {
    ...(Number.isInteger(agent) && agent > 0 ? { agent } : {}),
    ...(executor === '' ? {} : { executor }),
    ...(search['archived'] === true || search['archived'] === 'true' ? { archived: true } : {}),
    ...(typeof since === 'string' && Object.hasOwn(SINCE, since) ? { since: since as Since } : {}),
  };
}

/** The router reads an id of digits as a number. */
function executorOf(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.length <= MAX_EXECUTOR ? text.trim() : '';
}

export const isFiltered = (filter: SessionsFilter): boolean => Object.keys(filter).length > 0;

/**
 * Query parameters of the API for a filter. The start of a period is cut to the minute, so that pages and refreshes ask
 * the same. Pure.
 * @param now Unix time in ms
 */
export function queryOf({ agent, executor, archived, since }: SessionsFilter, now: number) {
  const minute = Math.floor(now / 60_000) * 60_000;
  return {
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(executor === undefined ? {} : { executor_id: executor }),
    ...(archived === true ? { archived: 'true' as const } : {}),
    ...(since === undefined ? {} : { from: new Date(minute - SINCE[since]).toISOString() }),
  };
}
