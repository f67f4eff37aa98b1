import { waitFor } from '../../../support/services/wait-for.js';
import type { ServedSession } from '../../programs/served-sessions.js';
import type { CrashLane } from '../../services/crash-lane.js';
import { markedProcesses, untilGone } from '../../services/marked-processes.js';
import type { CrashAction } from '../crash-case.js';
import { followUpKey } from '../conversation.js';
import { unless } from './execution-violations.js';

/** Milliseconds, somewhat beyond expiry, that processes of a dead worker may outlive it, and a session its last client. */
const MAX_LIFE_MS = 5_000;
const MAX_SESSION_MS = 30_000;

/** The resources of two ended executions that are left besides their rows. */
export interface LeftBehind {
  readonly sessions: readonly ServedSession[];
  /** Ids of processes that were started for them. */
  readonly processes: readonly number[];
  /** The number of rows with their tokens. */
  readonly tokens: number;
}

/** The violations, a sentence each. Pure. */
export function findLeftBehind({ sessions, processes, tokens }: LeftBehind, action: CrashAction): string[] {
  const count = (state: ServedSession['state']): number =>
    sessions.filter((session) => session.state === state).length;
  const open = count('open');
  const expired = count('expired');
  // A killed worker closes no session; one that is frozen and goes on does.
  const mostExpired = action === 'kill' ? 1 : 0;
  return [
    ...unless(open === 0, `${open} sessions are open`),
    ...unless(expired <= mostExpired, `${expired} sessions were left to expire`),
    ...unless(processes.length === 0, `processes are left: ${processes.join(' ')}`),
    ...unless(tokens === 0, `${tokens} tokens are left`),
  ];
}

/** Waits until nothing is left of the case, or until the limit. */
export async function collectLeftBehind(
  lane: CrashLane,
  key: string,
  executionIds: readonly string[],
): Promise<LeftBehind> {
  const keys = [key, followUpKey(key)];
  const readSessions = async (): Promise<ServedSession[]> =>
    (await Promise.all(keys.map((each) => lane.toolServers.sessionsOf(each)))).flat();
  const areOver = async (): Promise<boolean> => (await readSessions()).every(({ state }) => state !== 'open');
  await waitFor(areOver, { description: 'sessions to end', timeoutMs: MAX_SESSION_MS }).catch(
    () => undefined,
  );
  const processes = await Promise.all(
    keys.map((each) => untilGone(processesOf([each]), markOf(each), MAX_LIFE_MS)),
  );
  const { rows } = await lane.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM execution_token WHERE execution_id = ANY($1)`,
    [executionIds],
  );
  return { sessions: await readSessions(), processes: processes.flat(), tokens: rows[0]?.count ?? 0 };
}

/** The ids of the processes that run for these cases now. */
export function processesOf(keys: readonly string[]): number[] {
  return keys.flatMap((key) => markedProcesses(markOf(key)));
}

/** The processes that a worker started before it was killed, if they outlive it by more than `MAX_LIFE_MS`. */
export async function findOutlivers(keys: readonly string[], started: readonly number[]): Promise<string[]> {
  const left = await Promise.all(keys.map((key) => untilGone(started, markOf(key), MAX_LIFE_MS)));
  return unless(left.flat().length === 0, `processes outlive their worker: ${left.flat().join(' ')}`);
}

function markOf(key: string): string {
  return `CASE=${key}`;
}
