import { isRecord, nodesOf, queryIn, type Query, type Tree } from './query-tree.js';
import { tenantsOf, type TenantColumns, type TenantUse } from './tenants-of-query.js';

/** A use of a table in a statement. */
export interface TableUse {
  readonly table: string;
  readonly verb: Query['verb'];
  /** Whether the use names one tenant, takes the tenant of other rows, or names none. */
  readonly tenant: TenantUse;
  readonly isLocking: boolean;
}

/** The parts of a statement that the rules are about. */
export interface ReadStatement {
  readonly uses: readonly TableUse[];
  readonly functions: readonly string[];
  /** Functions within UPDATEs. */
  readonly functionsOfUpdates: readonly string[];
  readonly writesInWith: boolean;
  readonly isRecursive: boolean;
  readonly hasSubqueryInValues: boolean;
}

/** Reads the tree of one statement, as `libpg-query` parses it. Tables without a tenant are left out. */
export function readStatement(tree: unknown, columns: TenantColumns): ReadStatement {
  const found = new Found(columns);
  found.read(tree, { ctes: new Set(), isInUpdate: false, isInWith: false });
  return found;
}

interface Scope {
  readonly ctes: ReadonlySet<string>;
  readonly isInUpdate: boolean;
  readonly isInWith: boolean;
}

class Found implements ReadStatement {
  readonly uses: TableUse[] = [];
  readonly functions: string[] = [];
  readonly functionsOfUpdates: string[] = [];
  writesInWith = false;
  isRecursive = false;
  hasSubqueryInValues = false;

  constructor(private readonly columns: TenantColumns) {}

  read(tree: unknown, scope: Scope): void {
    if (Array.isArray(tree)) {
      for (const part of tree) this.read(part, scope);
      return;
    }
    if (!isRecord(tree)) return;
    const query = queryIn(tree);
    if (query !== null) {
      this.readQuery(query, scope);
      return;
    }
    this.noteFunction(tree, scope);
    for (const [name, part] of Object.entries(tree)) {
      if (name === 'CommonTableExpr') this.read(part, { ...scope, isInWith: true });
      else this.read(part, scope);
    }
  }

  private readQuery(query: Query, outer: Scope): void {
    const ctes = namesOfCtes(query.tree);
    const scope: Scope = {
      ctes: new Set([...outer.ctes, ...ctes.names]),
      isInUpdate: outer.isInUpdate || query.verb === 'UPDATE',
      isInWith: false,
    };
    this.isRecursive ||= ctes.isRecursive;
    this.writesInWith ||= outer.isInWith && query.verb !== 'SELECT';
    this.hasSubqueryInValues ||= hasSubqueryInValues(query);
    for (const { table, tenant, isTarget } of tenantsOf(query, this.columns, scope.ctes)) {
      const verb = isTarget ? query.verb : 'SELECT';
      this.uses.push({ table, tenant, verb, isLocking: verb === 'SELECT' && 'lockingClause' in query.tree });
    }
    // Without the node's own name, so that the query is not read again. Both sides of a UNION have no name.
    for (const [name, part] of Object.entries(query.tree)) {
      if ((name === 'larg' || name === 'rarg') && isRecord(part))
        this.readQuery({ verb: 'SELECT', tree: part }, { ...scope, isInWith: false });
      else this.read(part, scope);
    }
  }

  private noteFunction(tree: Tree, scope: Scope): void {
    const call = tree['FuncCall'];
    if (!isRecord(call)) return;
    const name = nodesOf(call['funcname'], 'String').at(-1)?.['sval'];
    if (typeof name !== 'string') return;
    this.functions.push(name);
    if (scope.isInUpdate) this.functionsOfUpdates.push(name);
  }
}

function namesOfCtes(tree: Tree): { readonly names: readonly string[]; readonly isRecursive: boolean } {
  const clause = tree['withClause'];
  if (!isRecord(clause)) return { names: [], isRecursive: false };
  const names = nodesOf(clause['ctes'], 'CommonTableExpr').map((cte) => String(cte['ctename']));
  return { names, isRecursive: clause['recursive'] === true };
}

function hasSubqueryInValues({ verb, tree }: Query): boolean {
  if (verb !== 'INSERT') return false;
  const source = tree['selectStmt'];
  const rows =
    isRecord(source) && isRecord(source['SelectStmt']) ? source['SelectStmt']['valuesLists'] : null;
  return rows !== null && rows !== undefined && JSON.stringify(rows).includes('"SubLink"');
}
