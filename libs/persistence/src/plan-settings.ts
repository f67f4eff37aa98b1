/** Comment of a statement that is built at run time: no connection keeps it, and it is planned for its values. */
export const ANEW = 'planned anew';
/** The same comment in SQL. */
export const PLANNED_ANEW = `/* ${ANEW} */`;

/**
 * Settings for kept plans. A plan may have been made while its tables were empty. At that time a sequential scan or a bitmap
 * scan looks as cheap as an index lookup, and the kept plan stays like that when the tables grow. A bitmap scan also leaves
 * entries of dead rows in the index, for every later scan.
 */
export const KEPT = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
} as const;

export type PlanMode = 'kept' | 'anew';

/** Statements that switch a session between both modes. */
export const SWITCH_TO: Readonly<Record<PlanMode, string>> = {
  kept: Object.entries(KEPT)
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join('; '),
  anew: 'SET plan_cache_mode = auto; SET enable_seqscan = on; SET enable_bitmapscan = on',
};
