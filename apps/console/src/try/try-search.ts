import { isUuid } from '../format/ids.js';

/** One side of the page: an agent in a version, and a session. */
export interface Side {
  readonly agent: number;
  /** Null is the newest. */
  readonly version: number | null;
  /** Session that goes on; null begins one with the next message. */
  readonly session: string | null;
}

/** Sides of the page, as its address holds them; those of the second one end with `2`. */
export interface TrySearch {
  readonly agent?: number;
  readonly version?: number;
  readonly session?: string;
  readonly agent2?: number;
  readonly version2?: number;
  readonly session2?: string;
}

export type Place = 'first' | 'second';

const SUFFIXES = { first: '', second: '2' } as const;

/** Takes the parts of an address that make sense. Pure. */
export function trySearchOf(search: Readonly<Record<string, unknown>>): TrySearch {
  return { ...partOf(search, 'first'), ...partOf(search, 'second') };
}

function partOf(search: Readonly<Record<string, unknown>>, place: Place): TrySearch {
  const suffix = SUFFIXES[place];
  const agent = Number(search[`agent${suffix}`]);
  const version = Number(search[`version${suffix}`]);
  const session = search[`session${suffix}`];
  if (!isNumber(agent)) return {};
  return {
    [`agent${suffix}`]: agent,
    ...(isNumber(version) ? { [`version${suffix}`]: version } : {}),
    ...(typeof session === 'string' && isUuid(session) ? { [`session${suffix}`]: session } : {}),
  };
}

const isNumber = (value: number): boolean => Number.isInteger(value) && value > 0;

/** One side of an address; null where it names no agent for it. Pure. */
export function sideOf(search: TrySearch, place: Place): Side | null {
  const { agent, version, session } =
    place === 'first' ? search : { agent: search.agent2, version: search.version2, session: search.session2 };
  return agent === undefined ? null : { agent, version: version ?? null, session: session ?? null };
}

/** Address with both sides; without the first one, the second takes its place. Pure. */
export function searchOf(first: Side | null, second: Side | null): TrySearch {
  if (first === null) return second === null ? {} : searchOf(second, null);
  const { agent, version, session } = first;
  return {
    agent,
    ...(version === null ? {} : { version }),
    ...(session === null ? {} : { session }),
    ...(second !== null && { agent2: second.agent }),
    ...(second !== null && second.version !== null && { version2: second.version }),
    ...(second !== null && second.session !== null && { session2: second.session }),
  };
}
