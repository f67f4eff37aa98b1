/** Columns of the list of runs besides the id, in their order. */
export const COLUMN_NAMES = {
  status: 'Status',
  agent: 'Agent',
  note: 'Input or reason',
  error: 'Error code',
  model: 'Model',
  executor: 'Asked by',
  session: 'Session',
  attempt: 'Attempt',
  duration: 'Duration',
  tokens: 'Tokens',
  cost: 'Cost',
  created: 'Created',
} as const;
export type ColumnId = keyof typeof COLUMN_NAMES;

export const COLUMN_IDS = Object.keys(COLUMN_NAMES) as readonly ColumnId[];
export const USUAL_COLUMNS: readonly ColumnId[] = [
  ...(['status', 'agent', 'note', 'duration', 'tokens', 'cost', 'created'] as const),
];

/** Takes the known columns of a kept choice, in the order of the list; the usual ones where none was kept. Pure. */
export function chosenColumns(kept: string | null): readonly ColumnId[] {
  if (kept === null) return USUAL_COLUMNS;
  const named = new Set(kept.split(','));
  return COLUMN_IDS.filter((id) => named.has(id));
}

/** Pure. */
export function withColumnToggled(chosen: readonly ColumnId[], id: ColumnId): readonly ColumnId[] {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return COLUMN_IDS.filter((each) => next.has(each));
}
