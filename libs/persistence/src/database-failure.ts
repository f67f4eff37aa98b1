import { isError } from '#libs/kernel';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';

/** A failure around the statement, not of the statement: the same work has a chance later. */
export interface DatabaseTrouble {
  /**
   * `outage`: the database cannot serve this process now. `contention`: it serves, but another transaction was in the way,
   * and this one was rolled back.
   */
  readonly kind: 'outage' | 'contention';
  /** The connection is of no more use, or leads to a server that is of none: give it up, another one may work. */
  readonly needsNewConnection: boolean;
  /**
   * When it was the commit, or a statement that is a transaction of its own, that failed: it may have taken effect all the
   * same, so read before it is repeated.
   */
  readonly mayHaveCommitted: boolean;
  /** The whole transaction may be repeated without a pause; otherwise with backoff. */
  readonly canRepeatAtOnce: boolean;
}

/** `ours`: the statement or the data is wrong, or the error is not of the database; a retry would fail again. */
export type DatabaseFailure = DatabaseTrouble | { readonly kind: 'ours' };

const OURS: DatabaseFailure = { kind: 'ours' };

/** The connection is gone, and with it the answer to what was sent. */
const BROKEN = outage({ needsNewConnection: true, mayHaveCommitted: true });
/** Nothing was sent, or nothing was committed when the connection ended. */
const UNREACHABLE = outage({ needsNewConnection: true, mayHaveCommitted: false });
/** The database said no, on a connection that goes on. */
const EXHAUSTED = outage({ needsNewConnection: false, mayHaveCommitted: false });
const ROLLED_BACK = contention({ canRepeatAtOnce: true });
const BLOCKED = contention({ canRepeatAtOnce: false });

/** By SQLSTATE or by its class; the longer one wins. */
const BY_STATE: Readonly<Record<string, DatabaseFailure>> = {
  '08': BROKEN,
  '08001': UNREACHABLE,
  '08004': UNREACHABLE,
  // A standby, or a primary that refuses writes. After a failover another connection leads to the new primary.
  '25006': UNREACHABLE,
  // The session was ended because its transaction was idle, or took too long.
  '25P03': UNREACHABLE,
  '25P04': UNREACHABLE,
  // Refused at login: a password or a role that is being changed, or a database that is being moved.
  '28': UNREACHABLE,
  '3D000': UNREACHABLE,
  '40': ROLLED_BACK,
  '40003': BROKEN,
  '53': EXHAUSTED,
  '53300': UNREACHABLE,
  '55P03': BLOCKED,
  // Cancelled, by a limit or by a person.
  '57014': BLOCKED,
  // The server ends a session: after a commit has been written, but before the client knew, as well.
  '57P': BROKEN,
  '57P03': UNREACHABLE,
  '58': EXHAUSTED,
};

const BY_SYSTEM_CODE: Readonly<Record<string, DatabaseFailure>> = {
  ECONNREFUSED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  EMFILE: UNREACHABLE,
  ENFILE: UNREACHABLE,
  ECONNRESET: BROKEN,
  ECONNABORTED: BROKEN,
  ENETDOWN: BROKEN,
  EPIPE: BROKEN,
  ETIMEDOUT: BROKEN,
};

/** `node:http` reports a peer that has gone under the code ECONNRESET: no database speaks HTTP. */
const TEXTS_OF_HTTP = /^(aborted|socket hang up)$/;

/** pg and its pool throw these as plain errors, which differ in their text only. */
const BY_TEXT: readonly (readonly [RegExp, DatabaseFailure])[] = [
  [/^timeout exceeded when trying to connect/, UNREACHABLE],
  [/^timeout expired/, UNREACHABLE],
  [/^Connection terminated due to connection timeout/, UNREACHABLE],
  [/^Client has encountered a connection error/, UNREACHABLE],
  [/^Client was closed/, UNREACHABLE],
  [/^Cannot use a pool after/, UNREACHABLE],
  [/^Connection terminated/, BROKEN],
  [/^Query read timeout/, BROKEN],
  [/^Received unexpected \w+ message from backend/, BROKEN],
];

/**
 * Classifies the error of a statement, from pg, its pool or TypeORM, by SQLSTATE, by system code or, where there is neither,
 * by the text of pg.
 */
export function classifyDatabaseError(error: unknown): DatabaseFailure {
  if (error instanceof QueryFailedError) return classifyDatabaseError(error.driverError);
  // A connection that breaks between two statements of a transaction is taken away from it.
  if (error instanceof QueryRunnerProviderAlreadyReleasedError) return UNREACHABLE;
  if (error instanceof QueryRunnerAlreadyReleasedError) return UNREACHABLE;
  // No address of the host answered.
  if (error instanceof AggregateError) return classifyAll(error.errors);
  if (!isError(error) || TEXTS_OF_HTTP.test(error.message)) return OURS;
  const code = 'code' in error ? String(error.code) : '';
  return classifyCode(code) ?? classifyText(error.message);
}

/** Whether the same work has a chance later: everything but `ours`. */
export function isDatabaseTrouble(error: unknown): boolean {
  return classifyDatabaseError(error).kind !== 'ours';
}

/**
 * Whether a statement that is a transaction of its own has certainly had no effect: the database has refused it, for its
 * text or for another transaction in the way.
 */
export function hasDoneNothing(error: unknown): boolean {
  if (error instanceof QueryFailedError) return hasDoneNothing(error.driverError);
  const failure = classifyDatabaseError(error);
  if (failure.kind !== 'ours') return failure.kind === 'contention' && !failure.mayHaveCommitted;
  return isError(error) && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code));
}

function classifyAll(errors: readonly unknown[]): DatabaseFailure {
  return errors.map(classifyDatabaseError).find(({ kind }) => kind !== 'ours') ?? OURS;
}

function classifyCode(code: string): DatabaseFailure | undefined {
  if (Object.hasOwn(BY_SYSTEM_CODE, code)) return BY_SYSTEM_CODE[code];
  if (!/^[0-9A-Z]{5}$/.test(code)) return undefined;
  const states = [code, code.slice(0, 3), code.slice(0, 2)];
  const known = states.find((state) => Object.hasOwn(BY_STATE, state));
  return known === undefined ? undefined : BY_STATE[known];
}

function classifyText(text: string): DatabaseFailure {
  return BY_TEXT.find(([pattern]) => pattern.test(text))?.[1] ?? OURS;
}

function outage(rest: Pick<DatabaseTrouble, 'needsNewConnection' | 'mayHaveCommitted'>): DatabaseTrouble {
  return { kind: 'outage', canRepeatAtOnce: false, ...rest };
}

function contention(rest: Pick<DatabaseTrouble, 'canRepeatAtOnce'>): DatabaseTrouble {
  return { kind: 'contention', needsNewConnection: false, mayHaveCommitted: false, ...rest };
}
