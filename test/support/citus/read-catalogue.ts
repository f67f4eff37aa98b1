import type { DataSource } from 'typeorm';
import type { Functions } from './judge-statement.js';
import type { SchemaRule } from './rules.js';
import type { TenantColumns } from './tenants-of-query.js';

/** Objects of the schema that break a rule, by rule. */
export type BrokenByRule = Readonly<Record<SchemaRule, readonly string[]>>;

/** Tables that would be distributed: those with `tenant_id`, and that of the tenants themselves. */
export async function readTenantColumns(database: DataSource): Promise<TenantColumns> {
  const rows = await database.query<{ name: string }[]>(
    `SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'tenant_id' ORDER BY 1`,
  );
  return new Map([...rows.map(({ name }) => [name, 'tenant_id'] as const), ['tenant', 'id']]);
}

/** Functions of the database by what the rules ask of them. A function that calls a reading one reads as well. */
export async function readFunctions(database: DataSource, columns: TenantColumns): Promise<Functions> {
  const volatile = await database.query<{ name: string }[]>(
    `SELECT DISTINCT proname AS name FROM pg_proc WHERE provolatile = 'v' AND prokind IN ('f', 'w')`,
  );
  const own = await readOwnFunctions(database);
  const reading = new Set(own.filter(({ body }) => names(body, columns.keys())).map(({ name }) => name));
  for (const { name, body } of own) if (names(body, reading)) reading.add(name);
  return { volatile: new Set(volatile.map(({ name }) => name)), reading };
}

/** The parts of the schema that would break the rules, were these tables distributed by tenant. */
export async function judgeSchema(database: DataSource, columns: TenantColumns): Promise<BrokenByRule> {
  const keys = await readKeys(database, columns);
  const references = await readReferences(database, columns);
  const own = await readOwnFunctions(database);
  return {
    'key without tenant': keys,
    'reference without tenant': references.filter(({ isLocal }) => !isLocal).map(({ text }) => text),
    'reference to a tenant': references.filter(({ isLocal }) => isLocal).map(({ text }) => text),
    'short sequence': await readShortSequences(database, columns),
    trigger: await readTriggers(database, columns),
    'advisory lock': own.filter(({ body }) => body.includes('pg_advisory')).map(({ name }) => name),
  };
}

interface OwnFunction {
  readonly name: string;
  readonly body: string;
}

async function readOwnFunctions(database: DataSource): Promise<readonly OwnFunction[]> {
  return database.query<OwnFunction[]>(
    `SELECT proname AS name, prosrc AS body FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
      WHERE pronamespace = 'public'::regnamespace AND lanname IN ('sql', 'plpgsql') AND prorettype <> 'trigger'::regtype
      ORDER BY 1`,
  );
}

async function readKeys(database: DataSource, columns: TenantColumns): Promise<readonly string[]> {
  const rows = await database.query<{ owner: string; columns: string[] }[]>(
    `SELECT relname AS owner, (SELECT array_agg(attname::text ORDER BY place)
                                 FROM unnest(indkey) WITH ORDINALITY AS part (number, place)
                                 JOIN pg_attribute ON attrelid = indrelid AND attnum = number) AS columns
       FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE indisunique AND relnamespace = 'public'::regnamespace ORDER BY relname, indexrelid`,
  );
  return rows
    .filter(({ owner, columns: key }) => columns.has(owner) && !key.includes(columns.get(owner) ?? ''))
    .map(({ owner, columns: key }) => `${owner} (${key.join(', ')})`)
    .sort();
}

interface Reference {
  readonly text: string;
  /** Whether the referring table has no tenant. */
  readonly isLocal: boolean;
}

async function readReferences(database: DataSource, columns: TenantColumns): Promise<readonly Reference[]> {
  const rows = await database.query<{ source: string; target: string; columns: string[] }[]>(
    `SELECT source.relname AS source, target.relname AS target,
            (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
              WHERE attrelid = conrelid AND attnum = ANY(conkey)) AS columns
       FROM pg_constraint JOIN pg_class source ON source.oid = conrelid JOIN pg_class target ON target.oid = confrelid
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
  );
  return rows
    .filter(
      ({ source, target, columns: key }) => columns.has(target) && !key.includes(columns.get(source) ?? ''),
    )
    .map(({ source, target, columns: key }) => ({
      text: `${source} (${key.join(', ')}) → ${target}`,
      isLocal: !columns.has(source),
    }))
    .sort((one, other) => one.text.localeCompare(other.text));
}

async function readShortSequences(database: DataSource, columns: TenantColumns): Promise<readonly string[]> {
  const rows = await database.query<{ owner: string; name: string }[]>(
    `SELECT relname AS owner, attname AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE attidentity <> '' AND atttypid <> 'bigint'::regtype AND relnamespace = 'public'::regnamespace ORDER BY 1, 2`,
  );
  return rows.filter(({ owner }) => columns.has(owner)).map(({ owner, name }) => `${owner}.${name}`);
}

async function readTriggers(database: DataSource, columns: TenantColumns): Promise<readonly string[]> {
  const rows = await database.query<{ owner: string; name: string }[]>(
    `SELECT relname AS owner, tgname AS name FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
      WHERE NOT tgisinternal AND relnamespace = 'public'::regnamespace ORDER BY 1, 2`,
  );
  return rows.filter(({ owner }) => columns.has(owner)).map(({ owner, name }) => `${owner}: ${name}`);
}

/** Whether a text has one of these names as a word. */
function names(text: string, words: Iterable<string>): boolean {
  return [...words].some((word) => new RegExp(`\\b${word}\\b`, 'u').test(text));
}
