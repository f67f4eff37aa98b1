import { describe, expect, it } from '@jest/globals';
import { parse } from 'libpg-query';
import { judgeStatement, nameStatement } from './judge-statement.js';
import { readStatement, type ReadStatement } from './read-statement.js';

const COLUMNS = new Map([
  ['execution', 'tenant_id'],
  ['chat_session', 'tenant_id'],
  ['journal_entry', 'tenant_id'],
  ['tenant', 'id'],
]);
const FUNCTIONS = { volatile: new Set(['random']), reading: new Set(['places_left']) };

async function read(sql: string): Promise<ReadStatement> {
  return readStatement(await parse(sql), COLUMNS);
}

describe('how a statement narrows its tables to a tenant', () => {
  it.each([
    ['by a parameter', 'SELECT 1 FROM execution WHERE tenant_id = $1 AND id = $2', ['one']],
    ['by a constant with a cast', `SELECT 1 FROM execution e WHERE e.tenant_id = 'a'::text`, ['one']],
    ['not at all', 'SELECT 1 FROM execution WHERE id = $1', ['none']],
    ['by one of two conditions only', 'SELECT 1 FROM execution WHERE tenant_id = $1 OR id = $2', ['none']],
    ['by a list', 'SELECT 1 FROM execution WHERE tenant_id = ANY($1)', ['none']],
    ['in the table of tenants', 'SELECT 1 FROM tenant WHERE id = $1', ['one']],
    [
      'by a join with a table that has one',
      `SELECT 1 FROM execution e JOIN chat_session s ON s.id = e.session_id AND s.tenant_id = e.tenant_id WHERE e.tenant_id = $1`,
      ['one', 'one'],
    ],
    [
      'by USING',
      'SELECT 1 FROM execution e JOIN chat_session s USING (tenant_id) WHERE s.tenant_id = $1',
      ['one', 'one'],
    ],
    [
      'on one side of a join only',
      'SELECT 1 FROM execution e JOIN chat_session s ON s.id = e.session_id WHERE e.tenant_id = $1',
      ['one', 'none'],
    ],
    [
      'by rows of a WITH',
      `WITH given AS (SELECT * FROM jsonb_to_recordset($1) AS g (tenant_id text))
       SELECT 1 FROM given JOIN execution e ON e.tenant_id = given.tenant_id`,
      ['joined'],
    ],
    [
      'within a subquery',
      'SELECT 1 FROM execution e WHERE e.tenant_id = $1 AND EXISTS (SELECT 1 FROM journal_entry j WHERE j.execution_id = e.id)',
      ['one', 'none'],
    ],
    ['by an inserted parameter', 'INSERT INTO execution (id, tenant_id) VALUES ($1, $2)', ['one']],
    [
      'by an inserted column',
      'INSERT INTO execution (id, tenant_id) SELECT a, b FROM unnest($1) AS g (a, b)',
      ['joined'],
    ],
    [
      'by an update',
      'UPDATE execution SET status = $1 FROM unnest($2) AS g (id) WHERE execution.tenant_id = $3',
      ['one'],
    ],
    [
      'by a deletion',
      'DELETE FROM execution USING chat_session s WHERE execution.session_id = s.id',
      ['none', 'none'],
    ],
    [
      'on both sides of a UNION',
      'SELECT 1 FROM tenant WHERE id = $1 UNION SELECT 1 FROM execution',
      ['one', 'none'],
    ],
    ['not of a WITH with the name of a table', 'WITH execution AS (SELECT 1) SELECT * FROM execution', []],
  ])('%s', async (_way, sql, tenants) => {
    const { uses } = await read(sql);
    expect(uses.map(({ tenant }) => tenant)).toEqual(tenants);
  });
});

describe('the rules that a statement breaks', () => {
  it.each([
    ['none for one tenant', 'SELECT 1 FROM execution WHERE tenant_id = $1 FOR UPDATE', []],
    [
      'row locks',
      'SELECT 1 FROM execution WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED',
      ['no tenant', 'row locks'],
    ],
    [
      'writes in WITH',
      'WITH gone AS (DELETE FROM execution WHERE id = $1 RETURNING 1) SELECT * FROM gone',
      ['no tenant', 'writes in WITH'],
    ],
    [
      'recursive WITH',
      `WITH RECURSIVE r AS (SELECT id FROM execution UNION ALL SELECT id FROM r) SELECT * FROM r`,
      ['no tenant', 'recursive WITH'],
    ],
    ['volatile UPDATE', 'UPDATE execution SET at = random() WHERE tenant_id = $1', ['volatile UPDATE']],
    ['a volatile function of a query is none', 'SELECT random() FROM execution WHERE tenant_id = $1', []],
    [
      'subquery in VALUES',
      'INSERT INTO execution (id, tenant_id) VALUES ((SELECT 1), $1)',
      ['subquery in VALUES'],
    ],
    ['own function', 'SELECT 1 FROM execution, places_left($1) WHERE tenant_id = $2', ['own function']],
    [
      'several tenants',
      'INSERT INTO execution (tenant_id) SELECT a FROM unnest($1) AS g (a)',
      ['several tenants'],
    ],
  ])('%s', async (_rule, sql, rules) => {
    expect(judgeStatement(await read(sql), FUNCTIONS)).toEqual(rules);
  });
});

describe('the name of a statement', () => {
  it('is the tables that it writes, else those that it reads', async () => {
    const writing = `WITH j AS (INSERT INTO journal_entry (tenant_id) VALUES ($1))
                     UPDATE execution SET status = 'x' FROM chat_session s WHERE s.id = session_id`;
    expect(nameStatement((await read(writing)).uses)).toBe('writes execution, journal_entry');
    expect(nameStatement((await read('SELECT 1 FROM tenant, execution')).uses)).toBe(
      'reads execution, tenant',
    );
  });
});
