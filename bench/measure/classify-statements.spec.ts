import { describe, expect, it } from '@jest/globals';
import { classifier } from './classify-statements.mjs';

const ownerOf = classifier({
  functions: ['add_flow', 'move_to_active', 'next_delay'],
  tables: ['job', 'meta'],
});

describe('classifier', () => {
  it.each([
    ['SELECT * FROM move_to_active($1, $2)', 'queue'],
    ['SELECT id FROM add_flow($1::jsonb) AS t(id)', 'queue'],
    ['SELECT EXISTS( SELECT $2 FROM job WHERE queue = $1 )', 'queue'],
    ['SELECT EXISTS( SELECT $3 FROM meta WHERE queue = $1 )', 'queue'],
    ['UPDATE bullmq.job SET priority = $1', 'queue'],
    ['SELECT next_delay($1) AS next_delay', 'queue'],
    // Names that only start like a name of the queue.
    ['INSERT INTO chat_session (id, next_turn) VALUES ($1, $2)', 'service'],
    ['SELECT data FROM metadata WHERE key = $1', 'service'],
    ['UPDATE execution SET job_id = $1', 'service'],
    ['START TRANSACTION', 'transaction'],
    ['COMMIT', 'transaction'],
    ['begin', 'transaction'],
  ])('%s is of the %s', (query, owner) => {
    expect(ownerOf(query)).toBe(owner);
  });

  it('finds nothing of a queue that is not in the database', () => {
    expect(classifier({ functions: [], tables: [] })('SELECT * FROM move_to_active($1)')).toBe('service');
  });
});
