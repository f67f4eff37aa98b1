/** A call of a model as its server has it. */
export interface ServedCall {
  readonly endpoint: string;
  /** Null where it was not answered. */
  readonly usage: { readonly total_tokens: number } | null;
}

/** A call of a model as the accounts have it. */
export interface UsageRow {
  readonly purpose: string;
  readonly state: 'known' | 'failed' | 'unknown';
  /** Null where nobody knows. */
  readonly total_tokens: number | null;
}

/**
 * Pure: what is wrong with the accounts, a sentence each. Each answer of which a server has counted the tokens stands in a
 * row with as many, or in one of which nobody knows them; and no row has tokens that no server has counted. Calls for
 * vectors and calls for texts are held against each other by themselves.
 */
export function findBillFaults(calls: readonly ServedCall[], rows: readonly UsageRow[]): readonly string[] {
  return [true, false].flatMap((isEmbedding) => {
    const ofKind = {
      calls: calls.filter(({ endpoint }) => (endpoint === 'embeddings') === isEmbedding),
      rows: rows.filter(({ purpose }) => (purpose === 'embedding') === isEmbedding),
    };
    return compare(ofKind, isEmbedding ? 'vectors' : 'texts');
  });
}

function compare(
  { calls, rows }: { readonly calls: readonly ServedCall[]; readonly rows: readonly UsageRow[] },
  of: string,
): readonly string[] {
  const open = new Map<number, number>();
  for (const { usage } of calls)
    if (usage !== null) open.set(usage.total_tokens, (open.get(usage.total_tokens) ?? 0) + 1);
  const invented: string[] = [];
  for (const { total_tokens: tokens } of rows) {
    if (tokens === null) continue;
    const left = open.get(tokens) ?? 0;
    if (left === 0) invented.push(`a row of ${tokens} tokens for ${of} that no server has counted`);
    else open.set(tokens, left - 1);
  }
  const unpaid = [...open].flatMap(([tokens, times]) => Array.from({ length: times }, () => tokens));
  const excuses = rows.filter(({ state }) => state === 'unknown').length;
  if (unpaid.length <= excuses) return invented;
  const tokens = unpaid.reduce((sum, each) => sum + each, 0);
  return [
    ...invented,
    `${unpaid.length} answers with ${of}, of ${tokens} tokens, have no row beside ${excuses} unknown ones`,
  ];
}
