import { describe, expect, it } from '@jest/globals';
import { defineDomain, defineRoute, defineTool, Refusal, type Database, type DomainOptions } from '#libs/kit';
import { z } from 'zod';
import { readExports } from '../project-part.js';
import { toProjectDomains } from '../project-domain.js';
import { managerOf, toDatabase, type Manager } from './manager-database.js';
import { selectDomains } from './select-domains.js';

const book = defineTool({
  name: 'book_parcel',
  description: 'Books.',
  input: z.object({}),
  effect: 'idempotent',
  run: () => null,
});

function part(options: Partial<DomainOptions>, file = 'domains/parcels/index.ts', migrations: string[] = []) {
  const domain = defineDomain({ name: 'parcels', tools: [book], ...options });
  return readExports(
    file,
    { domain },
    migrations.map((name) => ({ name, sql: '' })),
  );
}

const STATEMENT = 'UPDATE x RETURNING id';
/** Answers as TypeORM does. */
const manager: Manager = {
  query: (sql) => Promise.resolve(sql === STATEMENT ? [[{ id: 1 }], 1] : [{ id: 2 }]),
  transaction: (work) => work(manager),
};

describe('domains of a project', () => {
  it('are domains of the service, with tools that agents of the project may name', () => {
    const { domains, problems } = toProjectDomains([
      part({ agents: [{ kind: 'capstan/agent', name: 'clerk', instruction: 'x', tools: [book] }] }),
    ]);
    expect(problems).toEqual([]);
    expect(domains.map(({ name, agents }) => [name, agents.map((agent) => agent.name)])).toEqual([
      ['parcels', []],
      ['project', ['clerk']],
    ]);
    expect(domains[0]?.tools({ manager }).map(({ name }) => name)).toEqual(['book_parcel']);
  });

  it.each<[string, ReturnType<typeof part>, string]>([
    ['outside of its folder', part({}, 'domains/other/index.ts'), 'must be named as its folder: "other"'],
    ['below tools', part({}, 'tools/parcels.ts'), 'is exported from domains/NAME/index.ts'],
    ['with a reserved schema', part({ name: 'public' }, 'domains/public/index.ts'), 'choose another one'],
    ['with an odd migration', part({}, undefined, ['1.sql']), 'the migration "1.sql" must be named'],
    ['with a tool twice', part({ tools: [book, { ...book }] }), 'another tool is named "book_parcel"'],
    [
      'with an unusable tool',
      part({ tools: [{ ...book, limits: { timeoutMs: 0 } }] }),
      'the tool "book_parcel"',
    ],
    [
      'with a key that is no name',
      part({ messageData: { input: { 'a-b': z.string() } } }),
      '"a-b" cannot be a key of messageData',
    ],
  ])('are left out %s, with the reason', (_case, given, reason) => {
    const { usable, problems } = selectDomains([given]);
    expect(usable).toEqual([]);
    expect(problems).toEqual([{ place: given.file, reason: expect.stringContaining(reason) }]);
  });

  it('get rows of any statement, also in a transaction', async () => {
    const database = toDatabase(manager);
    expect(await database.query(STATEMENT)).toEqual([{ id: 1 }]);
    expect(await database.transaction((inside) => inside.query('SELECT'))).toEqual([{ id: 2 }]);
    expect(managerOf(database)).toBe(manager);
    expect(() => managerOf({} as Database)).toThrow('must be the one that the service has passed');
  });

  it.each([
    [new Refusal('not_found', 'No parcel'), { code: 'NOT_FOUND', kind: 'not_found', message: 'No parcel' }],
    [
      new Refusal('conflict', 'Sealed', { code: 'SEALED' }),
      { code: 'SEALED', kind: 'conflict', message: 'Sealed' },
    ],
    [
      new Refusal('invalid_input', 'x', { faults: [{ path: ['seal'], detail: 'is wax' }] }),
      { code: 'VALIDATION_ERROR', faults: [{ path: ['seal'], detail: 'is wax' }] },
    ],
    // Another copy of the kit has another class; the mark is equal.
    [
      Object.assign(new Error('No'), { capstanRefusal: true, kind: 'not_found', code: 'X', faults: [] }),
      { code: 'X' },
    ],
    [new RangeError('boom'), { name: 'RangeError' }],
  ])('refuse by %s what the service answers', async (thrown, expected) => {
    const route = defineRoute({
      ...{ method: 'GET', path: 'parcels', operation: 'x', tag: 'x', summary: 'x', description: 'x' },
      scope: 'executions:read',
      answer: { status: 204, description: 'x' },
      handle: () => Promise.reject(thrown),
    });
    const { usable } = selectDomains([part({ routes: [route] })]);
    const handled = usable[0]?.routes[0]?.handle({} as never, { manager } as never);
    await expect(handled).rejects.toMatchObject(expected);
  });
});
