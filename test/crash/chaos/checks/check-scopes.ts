import { scopeOpenedBy } from '../ledgers/call-key.js';
import type { ChaosWorld } from '../ledgers/chaos-world.js';
import type { ExecutionRow, JournalRow, UsageRow } from '../ledgers/database-ledger.js';
import { groupBy, SETTLED, type Violation } from './violation.js';

/**
 * I29: the loop of a called agent is opened once and settles once, before the call of the agent does, and no fact of the
 * loop follows. No usage is charged to a loop that was never opened.
 */
export function checkScopes(world: ChaosWorld): Violation[] {
  const journals = groupBy(world.database.journal, (entry) => entry.executionId);
  const bills = groupBy(world.database.usage, (row) => row.executionId);
  return world.database.executions
    .filter((execution) => SETTLED.has(execution.status))
    .flatMap((execution: ExecutionRow) => {
      const journal = journals.get(execution.id) ?? [];
      const details = [...brokenScopes(journal), ...strangeBills(journal, bills.get(execution.id) ?? [])];
      return details.map((detail) => ({ invariant: 'I29', subject: execution.id, detail }));
    });
}

function brokenScopes(journal: readonly JournalRow[]): string[] {
  const problems: string[] = [];
  const opened = new Set<string>();
  const ended = new Set<string>();
  for (const entry of journal) {
    const { kind, scope } = entry;
    if (scope !== '') {
      if (ended.has(scope)) problems.push(`"${kind}" was written in ${scope} after its end`);
      if (kind === 'scope_opened' && opened.has(scope)) problems.push(`${scope} was opened twice`);
      if (kind === 'scope_opened') opened.add(scope);
      else if (!opened.has(scope))
        problems.push(`"${kind}" was written in ${scope}, which nobody had opened`);
      if (kind === 'scope_settled') ended.add(scope);
    }
    const inside = scopeOpenedBy(entry);
    if (kind === 'tool_call_settled' && opened.has(inside) && !ended.has(inside))
      problems.push(`the call of ${inside} ended before it did`);
  }
  for (const scope of opened) if (!ended.has(scope)) problems.push(`${scope} never ended`);
  return problems;
}

function strangeBills(journal: readonly JournalRow[], rows: readonly UsageRow[]): string[] {
  const opened = new Set(journal.flatMap(({ kind, scope }) => (kind === 'scope_opened' ? [scope] : [])));
  return rows.flatMap(({ scope }) =>
    scope === '' || opened.has(scope) ? [] : [`its bill has calls of ${scope}, which nobody had opened`],
  );
}
