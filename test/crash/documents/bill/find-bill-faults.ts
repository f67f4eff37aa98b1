/** A model call as its server recorded it. */
export interface ServedCall {
  readonly endpoint: string;
  /** Null if the call was not answered. */
  readonly usage: { readonly total_tokens: number } | null;
}

/** A model call as the service billed it. */
export interface UsageRow {
  readonly purpose: string;
  readonly state: 'known' | 'failed' | 'unknown';
  /** Null if the tokens are unknown. */
  readonly total_tokens: number | null;
}

/**
 * Pure: the disagreements between servers and bill, a sentence each. Each answer with counted tokens has a row with as many,
 * or an `unknown` row; no row has tokens that no server counted. Calls for embeddings and for texts are compared separately.
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
