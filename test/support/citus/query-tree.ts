/** A node of a parsed statement, by the names of PostgreSQL's parser. */
export type Tree = Readonly<Record<string, unknown>>;

/** A query with tables of its own. */
export interface Query {
  readonly verb: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';
  readonly tree: Tree;
}

const VERBS: Readonly<Record<string, Query['verb']>> = {
  SelectStmt: 'SELECT',
  InsertStmt: 'INSERT',
  UpdateStmt: 'UPDATE',
  DeleteStmt: 'DELETE',
};

export function isRecord(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The query that a node wraps; null for any other node. */
export function queryIn(node: Tree): Query | null {
  for (const [name, verb] of Object.entries(VERBS)) {
    const tree = node[name];
    if (isRecord(tree)) return { verb, tree };
  }
  return null;
}

/** The nodes of this kind in a list. */
export function nodesOf(list: unknown, kind: string): readonly Tree[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((node: unknown) => {
    const tree = isRecord(node) ? node[kind] : undefined;
    return isRecord(tree) ? [tree] : [];
  });
}

/** Names of a column reference, such as `['e', 'tenant_id']`; null for any other expression. */
export function columnOf(expression: unknown): readonly string[] | null {
  if (!isRecord(expression)) return null;
  const cast = expression['TypeCast'];
  if (isRecord(cast)) return columnOf(cast['arg']);
  const reference = expression['ColumnRef'];
  if (!isRecord(reference)) return null;
  const names = nodesOf(reference['fields'], 'String').map(({ sval }) => String(sval));
  return names.length === 0 ? null : names;
}

/** Whether an expression has one value for the whole statement: a parameter, a constant, or a function of these. */
export function isOneValue(expression: unknown): boolean {
  const text = JSON.stringify(expression ?? null);
  return !/"(ColumnRef|SubLink)"/u.test(text);
}
