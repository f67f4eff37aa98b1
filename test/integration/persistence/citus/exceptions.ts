import type { SchemaRule, StatementRule } from '../../../support/citus/rules.js';

/** Statements of a run that break rules of Citus, by the tables that they write or read. */
export const STATEMENTS: Readonly<Record<string, readonly StatementRule[]>> = {};

/** Parts of the schema that break rules of Citus. */
export const SCHEMA: Readonly<Record<SchemaRule, readonly string[]>> = {
  'key without tenant': [],
  'reference without tenant': [],
  'reference to a tenant': [],
  'short sequence': [],
  trigger: [],
  'advisory lock': [],
};
