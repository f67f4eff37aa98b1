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

/** Statements come as a text and its values, or as one object with both. */
function withName(call: readonly unknown[]): readonly unknown[] {
  const [statement, values, ...others] = call;
  if (isNameless(statement)) {
    const name = nameFor(statement.text, statement.values);
    return name === null ? call : [{ ...statement, name }, values, ...others];
  }
  if (typeof statement !== 'string') return call;
  const name = nameFor(statement, values);
  return name === null ? call : [{ name, text: statement, values }, ...others];
}

/** What brings its own way of being sent is left alone. */
function isNameless(statement: unknown): statement is pg.QueryConfig {
  if (typeof statement !== 'object' || statement === null) return false;
  return 'text' in statement && !('name' in statement) && !('submit' in statement);
}

/** Null where it is not to be kept. */
function nameFor(text: string, values: unknown): string | null {
  if (!Array.isArray(values) || values.length === 0 || text.includes(PLANNED_ANEW)) return null;
  return nameOf(text);
}

/** Null for one more than are kept. */
function nameOf(statement: string): string | null {
  const known = names.get(statement);
  if (known !== undefined) return known;
  if (names.size >= MOST_STATEMENTS) return null;
  const name = createHash('sha256').update(statement).digest('base64url').slice(0, 20);
  names.set(statement, name);
  return name;
}
