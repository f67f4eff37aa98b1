import type { ChaosWorld, ModelRequestRecord, TimeSpan } from '../ledgers/chaos-world.js';
import type { ExecutionRow, UsageRow } from '../ledgers/database-ledger.js';
import { countForgottenAsks } from './forgotten-asks.js';
import { groupBy, SETTLED, type Violation } from './violation.js';

/**
 * I28: usage agrees with the provider's ledger, by scope and to the token. Each request with counted tokens has a row of its
 * loop with as many, or an `unknown` row of its round; there are no more `unknown` rows than attempts that can have been
 * lost. Usage that the database forgot in a crash is not charged.
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

/** Requests without a usage row, neither one with their answer nor an `unknown` one of their round. */
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

/**
 * A loop sends one request at a time, and the attempt that completes knows its answers: one unknown call per lost attempt.
 */
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
