import { createHash } from 'node:crypto';
import type pg from 'pg';
import { AnsweringClient } from './answering-client.js';
import { PLANNED_ANEW, SWITCH_TO, type PlanMode } from './plan-settings.js';

/** Limit of prepared statements in one connection: the number of statements put together at run time has no bound. */
const MAX_STATEMENTS = 300;

/** Statements without a plan. */
const OF_TRANSACTION = /^\s*(BEGIN|START|COMMIT|END|ROLLBACK|ABORT|SAVEPOINT|RELEASE|SET|SHOW|LISTEN)\b/i;
const BEGINS = /^\s*(BEGIN|START)\b/i;
/** Statements that may undo what a transaction has set: a COMMIT of one that failed does, too. */
const ENDS = /^\s*(ROLLBACK|ABORT|COMMIT|END)\b/i;

/**
 * A connection on which every statement with parameters is parsed once and not each time: PostgreSQL keeps it under a
 * name, and its plan as well. Before a statement that is planned anew, and before the next other one, it changes the
 * session's settings of plans, which costs a round trip.
 */
export class PreparingClient extends AnsweringClient {
  /** Names of the statements that this connection keeps, by their text. */
  private readonly names = new Map<string, string>();
  /** A session begins with the settings of kept plans; null while they are unknown. */
  private mode: PlanMode | null = 'kept';
  private hasSwitched = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...call: unknown[]) => unknown;
    this.query = ((...call: unknown[]) => {
      const text = textOf(call[0]);
      if (text !== null) this.switchFor(text, query);
      return query(...this.withName(call));
    }) as typeof this.query;
  }

  /** The switch is not awaited: a connection runs its statements in the order in which they are given. */
  private switchFor(statement: string, query: (...call: unknown[]) => unknown): void {
    if (BEGINS.test(statement)) this.hasSwitched = false;
    if (ENDS.test(statement) && this.hasSwitched) this.mode = null;
    if (OF_TRANSACTION.test(statement)) return;
    const wanted = statement.includes(PLANNED_ANEW) ? 'anew' : 'kept';
    if (this.mode === wanted) return;
    this.mode = wanted;
    this.hasSwitched = true;
    // Where it fails, so does the statement.
    query(SWITCH_TO[wanted], () => undefined);
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

function isUnnamed(given: unknown): given is pg.QueryConfig {
  return typeof given === 'object' && given !== null && textOf(given) !== null && !('name' in given);
}

/** Null for an object that sends itself, such as a cursor. */
function textOf(given: unknown): string | null {
  if (typeof given === 'string') return given;
  if (typeof given !== 'object' || given === null || 'submit' in given || !('text' in given)) return null;
  return typeof given.text === 'string' ? given.text : null;
}
