import { createHash } from 'node:crypto';
import type pg from 'pg';
import { AnsweringClient } from './answering-client.js';

/** Statements that are put together at run time could be without number; these are kept in every connection. */
const MOST_STATEMENTS = 300;

/** In a statement that is put together by what is asked for: no connection keeps it, and it is planned for its values. */
export const PLANNED_ANEW = '/* planned anew */';

/** Of this process, by their text. */
const names = new Map<string, string>();

/**
 * A connection on which every statement with parameters is parsed once and not each time: PostgreSQL keeps it under a
 * name, and its plan as well where one plan is as good as another.
 */
export class PreparingClient extends AnsweringClient {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...call: unknown[]) => unknown;
    this.query = ((...call: unknown[]) => query(...withName(call))) as typeof this.query;
  }
}

/** A statement is given as a text and its values, or as an object of both. */
function withName(call: readonly unknown[]): readonly unknown[] {
  const [given, ...others] = call;
  if (typeof given === 'string') {
    const [values, ...rest] = others;
    const name = nameOf(given, values);
    return name === null ? call : [{ name, text: given, values }, ...rest];
  }
  if (!isUnnamed(given)) return call;
  const name = nameOf(given.text, given.values);
  return name === null ? call : [{ ...given, name }, ...others];
}

/** Not what sends itself, such as a cursor. */
function isUnnamed(given: unknown): given is pg.QueryConfig {
  if (typeof given !== 'object' || given === null || 'submit' in given || 'name' in given) return false;
  return 'text' in given && typeof given.text === 'string';
}

/** Null for what is not kept: without values, planned anew, or one more than there is room for. */
function nameOf(statement: string, values: unknown): string | null {
  if (!Array.isArray(values) || values.length === 0 || statement.includes(PLANNED_ANEW)) return null;
  const known = names.get(statement);
  if (known !== undefined) return known;
  if (names.size >= MOST_STATEMENTS) return null;
  const name = createHash('sha256').update(statement).digest('base64url').slice(0, 20);
  names.set(statement, name);
  return name;
}
