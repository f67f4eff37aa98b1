/** A node of `EXPLAIN (ANALYZE, FORMAT JSON)`. */
export interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Rows of a table that a plan has read, those included that a filter left out. */
export function rowsOfPlan(plan: Plan, table: string): number {
  const { 'Actual Rows': rows, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0 } = plan;
  const own = plan['Relation Name'] === table ? (rows + removed) * loops : 0;
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsOfPlan(part, table), own);
}
