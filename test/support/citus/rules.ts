/** Documentation of Citus that the rules are taken from. */
const DOCS = 'https://docs.citusdata.com/en/stable';
const LIMITS = `${DOCS}/develop/reference_workarounds.html#limitations`;
const QUERIES = `${DOCS}/develop/migration_mt_query.html#add-distribution-key-to-queries`;
const CONSTRAINTS = `${DOCS}/develop/reference_ddl.html#adding-removing-constraints`;

/**
 * Rules of Citus for tables that are distributed by tenant. A statement that names one tenant for each of its tables goes to
 * one shard, where all SQL works.
 */
export const STATEMENT_RULES = {
  'no tenant': `finds rows without naming a tenant, so it goes to every shard (${QUERIES})`,
  'several tenants': `takes the tenant from other rows, so the planner cannot choose one shard (${DOCS}/develop/reference_processing.html)`,
  'row locks': `row locks (FOR UPDATE and the like) are for single-shard queries only (${LIMITS})`,
  'writes in WITH': `is no single-shard query, so its writing parts are carried out one after the other by the coordinator, and not pushed down (https://github.com/citusdata/citus/issues/1741)`,
  'recursive WITH': `works in single-shard queries only (${LIMITS})`,
  'volatile UPDATE': `functions used in UPDATE queries on distributed tables must not be VOLATILE (${LIMITS})`,
  'subquery in VALUES': `INSERT queries support no subqueries among their values (${LIMITS})`,
  'own function': `calls a function that reads tables: it has to be distributed by a tenant argument (${DOCS}/develop/api_udf.html#create-distributed-function)`,
} as const;

export const SCHEMA_RULES = {
  'key without tenant': `primary keys and uniqueness constraints must include the distribution column (${CONSTRAINTS})`,
  'reference without tenant': `a foreign key between distributed tables must include the distribution column (${CONSTRAINTS})`,
  'reference to a tenant': `a reference table cannot refer to a distributed one (${CONSTRAINTS})`,
  'short sequence': `a sequence smaller than BIGINT makes inserts on worker nodes fail (${LIMITS})`,
  trigger: `triggers on distributed tables are made for each shard, by citus.enable_unsafe_triggers (https://github.com/citusdata/citus/pull/5705)`,
  'advisory lock': `is held on the node where it was taken, and excludes no other node (https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS)`,
} as const;

export type StatementRule = keyof typeof STATEMENT_RULES;
export type SchemaRule = keyof typeof SCHEMA_RULES;
