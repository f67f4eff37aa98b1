import { describe, expect, it } from '@jest/globals';
import { HttpException, MethodNotAllowedException, NotFoundException } from '@nestjs/common';
import pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { AppError, type ErrorKind } from '#libs/kernel';
import { STATUS_OF_KIND, toProblem } from './problem-details.filter.js';
import { problemSchema } from './problem.js';
import { InvalidRequestError } from './request-errors.js';

const SECRET = 'password=hunter2';

function databaseError(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError(SECRET, 0, 'error');
  error.code = code;
  return error;
}

function withCode(code: string): Error {
  return Object.assign(new Error(SECRET), { code });
}

describe('every kind of error', () => {
  const table: readonly (readonly [ErrorKind, number, string])[] = [
    ['invalid_input', 400, 'Bad Request'],
    ['unauthenticated', 401, 'Unauthorized'],
    ['denied', 403, 'Forbidden'],
    ['not_found', 404, 'Not Found'],
    ['conflict', 409, 'Conflict'],
    ['precondition_failed', 412, 'Precondition Failed'],
    ['unprocessable', 422, 'Unprocessable Entity'],
    ['too_large', 413, 'Payload Too Large'],
    ['limit_exceeded', 429, 'Too Many Requests'],
    ['internal', 500, 'Internal Server Error'],
    ['lease_lost', 500, 'Internal Server Error'],
    ['unavailable', 503, 'Service Unavailable'],
    ['timeout', 504, 'Gateway Timeout'],
  ];

  it.each(table)('%s is answered %i', (kind, status, title) => {
    const problem = toProblem(new AppError({ code: 'SOME_CODE', kind, message: 'some words' }), 'request-1');

    expect(problem).toEqual({
      type: 'about:blank',
      title,
      status,
      detail: 'some words',
      code: 'SOME_CODE',
      request_id: 'request-1',
    });
    expect(problemSchema.parse(problem)).toEqual(problem);
  });

  it('stands in the table above', () => {
    expect(table.map(([kind]) => kind).sort()).toEqual(Object.keys(STATUS_OF_KIND).sort());
  });
});

describe('an invalid request', () => {
  it('names the first fault in the detail and lists all of them', () => {
    const errors = [
      { pointer: '#/options', detail: 'must be a JSON object' },
      { parameter: 'limit', detail: 'must be a number' },
      { header: 'Prefer', detail: 'must be short' },
    ];

    expect(toProblem(new InvalidRequestError(errors), 'r')).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      detail: 'options: must be a JSON object',
      errors,
    });
  });

  it('keeps a detail that already begins with the field (S3-28)', () => {
    const error = new InvalidRequestError([{ pointer: '#/input', detail: 'input is required' }]);

    expect(toProblem(error, 'r').detail).toBe('input is required');
  });
});

describe('errors of the framework', () => {
  it.each([
    [new NotFoundException(`Cannot GET /${SECRET}`), 404, 'ROUTE_NOT_FOUND'],
    [new MethodNotAllowedException(SECRET), 405, 'METHOD_NOT_ALLOWED'],
    [new HttpException(SECRET, 413), 413, 'BODY_TOO_LARGE'],
    [new HttpException(SECRET, 415), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [new HttpException(SECRET, 400), 400, 'BAD_REQUEST'],
    [new HttpException(SECRET, 418), 500, 'INTERNAL_ERROR'],
  ])('is answered in our words: %s', (error, status, code) => {
    const problem = toProblem(error, 'r');

    expect(problem).toMatchObject({ status, code });
    expect(JSON.stringify(problem)).not.toContain(SECRET);
  });
});

describe('a client that breaks off its body', () => {
  it('is no outage of ours', () => {
    const error = Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 });

    expect(toProblem(error, 'r')).toMatchObject({ status: 400, code: 'REQUEST_ABORTED' });
  });
});

describe('an unexpected error', () => {
  it.each<[string, unknown]>([
    ['an exception', new TypeError(SECRET)],
    ['a failed statement', new QueryFailedError('SELECT 1', [SECRET], databaseError('42601'))],
    ['a text', SECRET],
    ['nothing', undefined],
  ])('keeps %s from the client', (_name, error) => {
    const problem = toProblem(error, 'r');

    expect(problem).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
    expect(JSON.stringify(problem)).not.toContain(SECRET);
  });
});

describe('a database that is away', () => {
  it.each<[string, unknown]>([
    ['refuses connections', withCode('ECONNREFUSED')],
    [
      'refuses them on every address',
      new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]),
    ],
    ['shuts down', new QueryFailedError('SELECT 1', [], databaseError('57P01'))],
    ['starts up', databaseError('57P03')],
    ['has no connection left', databaseError('53300')],
    [
      'breaks the connection',
      new QueryFailedError('SELECT 1', [], new Error('Connection terminated unexpectedly')),
    ],
    ['takes no writes', new QueryFailedError('INSERT', [], databaseError('25006'))],
    ['has no room on its disk', new QueryFailedError('INSERT', [], databaseError('53100'))],
    ['cannot read a file', new QueryFailedError('SELECT 1', [], databaseError('58030'))],
    ['does not answer', new QueryFailedError('SELECT 1', [], new Error('Query read timeout'))],
    ['does not answer the pool', new Error('timeout exceeded when trying to connect')],
  ])('is answered 503 when it %s', (_name, error) => {
    expect(toProblem(error, 'r')).toMatchObject({ status: 503, code: 'DATABASE_UNAVAILABLE' });
    expect(JSON.stringify(toProblem(error, 'r'))).not.toContain(SECRET);
  });
});

describe('a transaction that was in the way', () => {
  it.each(['40001', '40P01', '55P03', '57014'])('is answered 503 when PostgreSQL says %s', (code) => {
    const problem = toProblem(new QueryFailedError('SELECT 1', [SECRET], databaseError(code)), 'r');

    expect(problem).toMatchObject({ status: 503, code: 'DATABASE_BUSY' });
    expect(JSON.stringify(problem)).not.toContain(SECRET);
  });
});
