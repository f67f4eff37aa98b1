import type { StatementRule } from './rules.js';
import type { ReadStatement, TableUse } from './read-statement.js';

/** The functions of a database that the rules are about. */
export interface Functions {
  /** Functions that PostgreSQL calls VOLATILE. */
  readonly volatile: ReadonlySet<string>;
  /** Functions of this service that read tables with a tenant. */
  readonly reading: ReadonlySet<string>;
}

/** The rules that a statement breaks, in their order. */
export function judgeStatement(statement: ReadStatement, functions: Functions): readonly StatementRule[] {
  const { uses } = statement;
  const isOneShard = uses.every(({ tenant }) => tenant === 'one');
  const updates = uses.some(({ verb }) => verb === 'UPDATE');
  const broken: Readonly<Record<StatementRule, boolean>> = {
    'no tenant': uses.some(({ tenant }) => tenant === 'none'),
    'several tenants': uses.some(({ tenant }) => tenant === 'joined'),
    'row locks': !isOneShard && uses.some(({ isLocking }) => isLocking),
    'writes in WITH': !isOneShard && statement.writesInWith,
    'recursive WITH': !isOneShard && statement.isRecursive,
    'volatile UPDATE': updates && statement.functionsOfUpdates.some((name) => functions.volatile.has(name)),
    'subquery in VALUES': statement.hasSubqueryInValues,
    'own function': statement.functions.some((name) => functions.reading.has(name)),
  };
  return (Object.keys(broken) as StatementRule[]).filter((rule) => broken[rule]);
}

/** A name of a statement that stays while its text changes: the tables that it writes, else those that it reads. */
export function nameStatement(uses: readonly TableUse[]): string {
  const written = uses.filter(({ verb }) => verb !== 'SELECT');
  const tables = [...new Set((written.length > 0 ? written : uses).map(({ table }) => table))].sort();
  return `${written.length > 0 ? 'writes' : 'reads'} ${tables.join(', ')}`;
}
