import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { hasDoneNothing, isDatabaseTrouble, classifyDatabaseError } from './database-failure.js';

const broken = { kind: 'outage', needsNewConnection: true, mayHaveCommitted: true, canRepeatAtOnce: false };
const unreachable = { ...broken, mayHaveCommitted: false };
const exhausted = { ...unreachable, needsNewConnection: false };
const rolledBack = { ...exhausted, kind: 'contention', canRepeatAtOnce: true };
const blocked = { ...rolledBack, canRepeatAtOnce: false };
const ours = { kind: 'ours' };

function withState(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError('refused', 0, 'error');
  error.code = code;
  return error;
}

function withCode(code: string, text = `connect ${code}`): Error {
  return Object.assign(new Error(text), { code });
}

describe('a SQLSTATE', () => {
  it.each([
    ['08000', broken, 'the connection failed'],
    ['08003', broken, 'there is no connection'],
    ['08006', broken, 'the connection broke'],
    ['08007', broken, 'it is unknown how the transaction ended'],
    ['08P01', broken, 'a pooler lost its server'],
    ['08001', unreachable, 'no connection could be made'],
    ['08004', unreachable, 'the server refused the connection'],
    ['25006', unreachable, 'the server takes no writes'],
    ['25P03', unreachable, 'the transaction said nothing for too long'],
    ['25P04', unreachable, 'the transaction took too long'],
    ['25P02', ours, 'an earlier statement of the transaction had failed'],
    ['28P01', unreachable, 'the password is not, or no longer, right'],
    ['28000', unreachable, 'the role may not connect'],
    ['3D000', unreachable, 'the database is not there'],
    ['40001', rolledBack, 'serialization failed'],
    ['40P01', rolledBack, 'a deadlock'],
    ['40003', broken, 'it is unknown whether the statement completed'],
    ['53000', exhausted, 'resources do not suffice'],
    ['53100', exhausted, 'the disk is full'],
    ['53200', exhausted, 'memory is full'],
    ['53300', unreachable, 'too many connections'],
    ['55P03', blocked, 'a lock was not available in time'],
    ['55006', ours, 'the object is in use'],
    ['57014', blocked, 'the statement was cancelled'],
    ['57P01', broken, 'an administrator ended the session'],
    ['57P02', broken, 'the server crashed'],
    ['57P03', unreachable, 'the server starts or stops'],
    ['57P05', broken, 'the session said nothing for too long'],
    ['58000', exhausted, 'the system failed'],
    ['58030', exhausted, 'reading or writing failed'],
    ['22P02', ours, 'a text is no number'],
    ['23503', ours, 'a foreign key refused'],
    ['23505', ours, 'a unique index refused'],
    ['42601', ours, 'a syntax error'],
    ['42P01', ours, 'there is no such table'],
    ['XX000', ours, 'an internal error'],
  ])('%s is judged as %j: %s', (code, failure) => {
    expect(classifyDatabaseError(withState(code))).toEqual(failure);
    expect(classifyDatabaseError(new QueryFailedError('SELECT 1', [], withState(code)))).toEqual(failure);
  });
});

describe('the network', () => {
  it.each([
    ['ECONNREFUSED', unreachable],
    ['EHOSTUNREACH', unreachable],
    ['ENETUNREACH', unreachable],
    ['ENOTFOUND', unreachable],
    ['EAI_AGAIN', unreachable],
    ['EMFILE', unreachable],
    ['ENFILE', unreachable],
    ['ECONNRESET', broken],
    ['ECONNABORTED', broken],
    ['ENETDOWN', broken],
    ['EPIPE', broken],
    ['ETIMEDOUT', broken],
    ['ENOENT', ours],
    ['ERR_INVALID_ARG_TYPE', ours],
    ['constructor', ours],
  ])('%s is judged as %j', (code, failure) => {
    expect(classifyDatabaseError(withCode(code))).toEqual(failure);
    expect(classifyDatabaseError(new QueryFailedError('SELECT 1', [], withCode(code)))).toEqual(failure);
  });

  it('is judged by any of the addresses that were tried in vain', () => {
    const tried = new AggregateError([withCode('ENOENT'), withCode('ECONNREFUSED')]);

    expect(classifyDatabaseError(tried)).toEqual(unreachable);
    expect(classifyDatabaseError(new AggregateError([]))).toEqual(ours);
  });

  it.each(['aborted', 'socket hang up'])('is not the database’s when HTTP says "%s"', (text) => {
    expect(classifyDatabaseError(withCode('ECONNRESET', text))).toEqual(ours);
  });
});

describe('failures with a text only', () => {
  it.each([
    ['timeout exceeded when trying to connect', unreachable],
    ['timeout expired', unreachable],
    ['Connection terminated due to connection timeout', unreachable],
    ['Client has encountered a connection error and is not queryable', unreachable],
    ['Client was closed and is not queryable', unreachable],
    ['Cannot use a pool after calling end on the pool', unreachable],
    ['Connection terminated unexpectedly', broken],
    ['Connection terminated', broken],
    ['Query read timeout', broken],
    ['Received unexpected commandComplete message from backend.', broken],
    ['x is not a function', ours],
    ['the client said: Connection terminated', ours],
  ])('"%s" is judged as %j', (text, failure) => {
    expect(classifyDatabaseError(new Error(text))).toEqual(failure);
    expect(classifyDatabaseError(new QueryFailedError('COMMIT', [], new Error(text)))).toEqual(failure);
  });

  it('is TypeORM’s own: a transaction lost its connection between two statements', () => {
    expect(classifyDatabaseError(new QueryRunnerAlreadyReleasedError())).toEqual(unreachable);
    expect(classifyDatabaseError(new QueryRunnerProviderAlreadyReleasedError())).toEqual(unreachable);
  });
});

describe('trouble', () => {
  it.each([
    [withState('57P01'), true],
    [withState('40P01'), true],
    [withState('23505'), false],
    [new TypeError('x is not a function'), false],
    ['Connection terminated', false],
    [undefined, false],
  ])('with %s: %s', (error, isTrouble) => {
    expect(isDatabaseTrouble(error)).toBe(isTrouble);
  });
});

describe('a statement that is a transaction of its own has done nothing', () => {
  it.each<[string, unknown, boolean]>([
    ['where the database refuses what it says', withState('23503'), true],
    ['as TypeORM reports it', new QueryFailedError('INSERT', [], withState('23503')), true],
    ['where another transaction is in the way', withState('40P01'), true],
    ['but who knows, where the connection ends', withState('57P01'), false],
    ['but who knows, where the connection breaks', withCode('ECONNRESET'), false],
    ['but another connection is needed, where there is none', withCode('ECONNREFUSED'), false],
    ['but it was no error of the database', new TypeError('undefined is not a function'), false],
  ])('%s', (_when, error, expected) => {
    expect(hasDoneNothing(error)).toBe(expected);
  });
});
