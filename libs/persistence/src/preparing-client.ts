import { createHash } from 'node:crypto';
import type pg from 'pg';
import { AnsweringClient } from './answering-client.js';

/** Limit of prepared statements in one connection: the number of statements put together at run time has no bound. */
const MAX_STATEMENTS = 300;

/** Comment of a statement that is built at run time: no connection keeps it, and it is planned for its values. */
export const ANEW = 'planned anew';
/** The same comment in SQL. */
export const PLANNED_ANEW = `/* ${ANEW} */`;

/**
 * A connection on which every statement with parameters is parsed once and not each time: PostgreSQL keeps it under a
 * name, and its plan as well where one plan is as good as another.
 */
export class PreparingClient extends AnsweringClient {
  /** Names of the statements that this connection keeps, by their text. */
  private readonly names = new Map<string, string>();

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...call: unknown[]) => unknown;
    this.query = ((...call: unknown[]) => query(...this.withName(call))) as typeof this.query;
  }

  /** A statement is given as a text and its values, or as an object of both. */
  private withName(call: readonly unknown[]): readonly unknown[] {
    const [given, ...others] = call;
    if (typeof given === 'string') {
      const [values, ...rest] = others;
      const name = this.nameOf(given, values);
      return name === null ? call : [{ name, text: given, values }, ...rest];
    }
    if (!isUnnamed(given)) return call;
    const name = this.nameOf(given.text, given.values);
    return name === null ? call : [{ ...given, name }, ...others];
  }

  /** Null for a statement without values, one that is planned anew, and one beyond the limit. */
  private nameOf(statement: string, values: unknown): string | null {
    if (!Array.isArray(values) || values.length === 0 || statement.includes(PLANNED_ANEW)) return null;
    const known = this.names.get(statement);
    if (known !== undefined) return known;
    if (this.names.size >= MAX_STATEMENTS) return null;
    const name = createHash('sha256').update(statement).digest('base64url').slice(0, 20);
    this.names.set(statement, name);
    return name;
  }
}

/** False for an object that sends itself, such as a cursor. */
function isUnnamed(given: unknown): given is pg.QueryConfig {
  if (typeof given !== 'object' || given === null || 'submit' in given || 'name' in given) return false;
  return 'text' in given && typeof given.text === 'string';
}
