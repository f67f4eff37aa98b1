import type { ChaosWorld, ModelRequestRecord, TimeSpan } from '../ledgers/chaos-world.js';
import type { ExecutionRow, UsageRow } from '../ledgers/database-ledger.js';
import { countForgottenAsks } from './forgotten-asks.js';
import { groupBy, SETTLED, type Violation } from './violation.js';

/**
 * I28: usage is the provider's ledger, to the token and by scope. A request whose tokens the provider counted has a
 * row of its loop with as many, or one of its round that says that nobody knows them; and no more of those than attempts
 * can have been lost. Nobody can be charged for what the database forgot in a crash.
 */
export function checkBill(world: ChaosWorld): Violation[] {
  const rows = groupBy(world.database.usage, (row) => row.executionId);
  const requests = groupBy(world.modelRequests, (request) => request.key ?? '');
  return world.database.executions
    .filter((execution) => SETTLED.has(execution.status))
    .flatMap((execution) => {
      const ofExecution = rows.get(execution.id) ?? [];
      const asked = execution.key === null ? [] : (requests.get(execution.key) ?? []);
      return [...unpaid(asked, ofExecution, world.lostTails), ...excuses(execution, ofExecution)].map(
        (detail) => ({
          invariant: 'I28',
          subject: execution.id,
          detail,
        }),
      );
    });
}

/** Requests that no row of their round stands for. */
function unpaid(
  asked: readonly ModelRequestRecord[],
  rows: readonly UsageRow[],
  lostTails: readonly TimeSpan[],
): string[] {
  const known = new Map(rows.map((row) => [row.responseId, row]));
  const isOpen = ({ responseId, totalTokens, scope }: ModelRequestRecord): boolean => {
    const row = responseId === null ? undefined : known.get(responseId);
    return totalTokens !== null && (row?.totalTokens !== totalTokens || row.scope !== scope);
  };
  return [...groupBy(asked.filter(isOpen), placeOf)].flatMap(([round, requests]) => {
    const unknown = rows.filter((row) => placeOf(row) === round && row.totalTokens === null).length;
    if (requests.length <= unknown + countForgottenAsks(requests, lostTails)) return [];
    const tokens = requests.reduce((sum, request) => sum + (request.totalTokens ?? 0), 0);
    return [
      `${requests.length} answers to round ${round}, of ${tokens} tokens, have no usage row beside ${unknown} unknown ones`,
    ];
  });
}

/** A loop of an attempt asks one thing at a time, and the attempt that completed it knows what it was answered. */
function excuses({ attempt, status }: ExecutionRow, rows: readonly UsageRow[]): string[] {
  const isUnknown = ({ purpose, state, responseId }: UsageRow): boolean =>
    purpose === 'round' && state === 'unknown' && responseId === null;
  const most = status === 'completed' ? attempt - 1 : attempt;
  return [...groupBy(rows.filter(isUnknown), ({ scope }) => scope)].flatMap(([scope, unknown]) =>
    unknown.length > most
      ? [`${unknown.length} of the calls of "${scope}" are unknown, after ${attempt} attempts`]
      : [],
  );
}

function placeOf({ scope, round }: Pick<UsageRow, 'scope' | 'round'>): string {
  return scope === '' ? String(round) : `${round} of ${scope}`;
}
