import { columnOf, isOneValue, isRecord, nodesOf, type Query, type Tree } from './query-tree.js';

/** Tables with a tenant, by name, with the column that has it. */
export type TenantColumns = ReadonlyMap<string, string>;

/** `one`: the query names the tenant. `joined`: it takes that of other rows. `none`: it finds rows by another column. */
export type TenantUse = 'one' | 'joined' | 'none';

/** A table of a query itself, without those of its subqueries. */
export interface TenantOfTable {
  readonly table: string;
  readonly tenant: TenantUse;
  /** Whether the query writes it. */
  readonly isTarget: boolean;
}

interface Source {
  readonly table: string;
  readonly alias: string;
  readonly isTarget: boolean;
}

/** How a query narrows each of its tables to a tenant. Names in `ctes` are no tables. */
export function tenantsOf(
  query: Query,
  columns: TenantColumns,
  ctes: ReadonlySet<string>,
): readonly TenantOfTable[] {
  const sources = sourcesOf(query).filter(
    ({ table, isTarget }) => columns.has(table) && (isTarget || !ctes.has(table)),
  );
  const narrowed = narrowedTo(query.tree, sources, columns);
  return sources.map((source) => ({
    table: source.table,
    isTarget: source.isTarget,
    tenant:
      source.isTarget && query.verb === 'INSERT'
        ? tenantOfInsert(query.tree, columns.get(source.table) ?? '')
        : (narrowed.get(source.alias) ?? 'none'),
  }));
}

function sourcesOf({ verb, tree }: Query): readonly Source[] {
  const from = verb === 'DELETE' ? tree['usingClause'] : tree['fromClause'];
  const read =
    verb === 'INSERT' ? [] : tablesIn(from).map((table) => ({ ...nameOf(table), isTarget: false }));
  const target = tree['relation'];
  return isRecord(target) ? [{ ...nameOf(target), isTarget: true }, ...read] : read;
}

/** Tables of a FROM list, with those of its joins. */
function tablesIn(list: unknown): readonly Tree[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown): readonly Tree[] => {
    if (!isRecord(item)) return [];
    const join = item['JoinExpr'];
    if (isRecord(join)) return tablesIn([join['larg'], join['rarg']]);
    return nodesOf([item], 'RangeVar');
  });
}

function nameOf(table: Tree): { readonly table: string; readonly alias: string } {
  const name = String(table['relname']);
  const alias = table['alias'];
  return { table: name, alias: isRecord(alias) ? String(alias['aliasname']) : name };
}

/** Tables by alias that conditions of the query narrow to one tenant, or to that of other rows. */
function narrowedTo(
  tree: Tree,
  sources: readonly Source[],
  columns: TenantColumns,
): ReadonlyMap<string, TenantUse> {
  const isTenantOf = (names: readonly string[] | null): string | null => {
    const column = names?.at(-1);
    const found = sources.find(
      ({ table, alias }) =>
        columns.get(table) === column &&
        (names?.length === 1 || names?.at(-2) === alias || names?.at(-2) === table),
    );
    return found?.alias ?? null;
  };
  const uses = new Map<string, TenantUse>();
  const pairs: (readonly [string, string])[] = [];
  for (const { left, right } of equalitiesOf(tree)) {
    const [one, other] = [isTenantOf(columnOf(left)), isTenantOf(columnOf(right))];
    if (one !== null && other !== null && one !== other) pairs.push([one, other]);
    for (const [alias, value] of [
      [one, right],
      [other, left],
    ] as const) {
      if (alias === null || uses.get(alias) === 'one') continue;
      uses.set(alias, isOneValue(value) ? 'one' : 'joined');
    }
  }
  // A table joined with one that names its tenant has that tenant, over any number of joins.
  for (let left = pairs.length; left > 0; left -= 1)
    for (const [one, other] of pairs)
      if (uses.get(one) === 'one' || uses.get(other) === 'one') {
        uses.set(one, 'one');
        uses.set(other, 'one');
      }
  return uses;
}

interface Equality {
  readonly left: unknown;
  readonly right: unknown;
}

/** Equalities that hold for every row: of WHERE, of ON and of USING. */
function equalitiesOf(tree: Tree): readonly Equality[] {
  const from = tree['usingClause'] ?? tree['fromClause'];
  return [...conjunctsOf(tree['whereClause']), ...joinsOf(from)].flatMap((condition) => {
    const operation = isRecord(condition) ? condition['A_Expr'] : undefined;
    if (!isRecord(operation) || operation['kind'] !== 'AEXPR_OP') return [];
    const isEqual = nodesOf(operation['name'], 'String').at(-1)?.['sval'] === '=';
    return isEqual ? [{ left: operation['lexpr'], right: operation['rexpr'] }] : [];
  });
}

function joinsOf(list: unknown): readonly unknown[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown): readonly unknown[] => {
    const join = isRecord(item) ? item['JoinExpr'] : undefined;
    if (!isRecord(join)) return [];
    const [larg, rarg] = [join['larg'], join['rarg']];
    return [...conjunctsOf(join['quals']), ...sharedColumns(join), ...joinsOf([larg, rarg])];
  });
}

/** Equalities of `USING (…)` between both sides of a join. */
function sharedColumns(join: Tree): readonly unknown[] {
  const sides = [tablesIn([join['larg']]).at(-1), tablesIn([join['rarg']]).at(0)];
  const [left, right] = sides.map((side) => (side === undefined ? null : nameOf(side).alias));
  return nodesOf(join['usingClause'], 'String').map(({ sval }) => ({
    A_Expr: {
      kind: 'AEXPR_OP',
      name: [{ String: { sval: '=' } }],
      lexpr: reference(left ?? 'unnamed', String(sval)),
      rexpr: reference(right ?? 'unnamed', String(sval)),
    },
  }));
}

function reference(...names: readonly string[]): Tree {
  return { ColumnRef: { fields: names.map((sval) => ({ String: { sval } })) } };
}

function conjunctsOf(condition: unknown): readonly unknown[] {
  const expression = isRecord(condition) ? condition['BoolExpr'] : undefined;
  if (isRecord(expression) && expression['boolop'] === 'AND_EXPR' && Array.isArray(expression['args']))
    return expression['args'].flatMap(conjunctsOf);
  return condition === undefined ? [] : [condition];
}

function tenantOfInsert(tree: Tree, column: string): TenantUse {
  const place = nodesOf(tree['cols'], 'ResTarget').findIndex(({ name }) => name === column);
  if (place < 0) return 'none';
  const source = nodesOf([tree['selectStmt']], 'SelectStmt')[0] ?? {};
  const rows = nodesOf(source['valuesLists'], 'List').map(
    ({ items }) => (items as readonly unknown[])[place],
  );
  const selected = nodesOf(source['targetList'], 'ResTarget')[place]?.['val'];
  const values = rows.length > 0 ? rows : [selected];
  return values.every((value) => value !== undefined && isOneValue(value)) ? 'one' : 'joined';
}
