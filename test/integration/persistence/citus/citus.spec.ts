import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { judgeSchema, readTenantColumns } from '../../../support/citus/read-catalogue.js';
import { SCHEMA, STATEMENTS } from './exceptions.js';
import { RecordedRun } from './recorded-run.js';

const GUIDE = join(import.meta.dirname, '../../../../docs/guides/operate.md');

let run: RecordedRun;
beforeAll(async () => {
  run = await RecordedRun.open();
});
afterAll(() => run.close());

describe('on Citus, with the tenant as the distribution column', () => {
  it('every statement of a run breaks exactly the rules that are listed', async () => {
    await run.perform(Object.keys(STATEMENTS));
    expect(await run.brokenRules()).toEqual(STATEMENTS);
  });

  it('the schema breaks exactly the rules that are listed', async () => {
    const columns = await readTenantColumns(run.dataSource);
    expect(await judgeSchema(run.dataSource, columns)).toEqual(SCHEMA);
  });

  it('the guide shows the same exceptions', () => {
    const rows = new Map(tableRows(readFileSync(GUIDE, 'utf8')));
    const statements = Object.entries(STATEMENTS).map(([name, rules]) => [name, rules.join(', ')] as const);
    const schema = Object.entries(SCHEMA).map(([rule, broken]) => [rule, String(broken.length)] as const);
    for (const [name, shown] of [...statements, ...schema])
      expect([name, rows.get(name)]).toEqual([name, shown]);
    const named = [...rows.keys()].filter((name) => /^(reads|writes) [a-z_]+(, [a-z_]+)*$/u.test(name));
    expect(named.toSorted()).toEqual(Object.keys(STATEMENTS).toSorted());
  });
});

/** The first two cells of every row. */
function tableRows(markdown: string): readonly (readonly [string, string])[] {
  return [...markdown.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\|/gmu)].map(([, name = '', shown = '']) => [
    name,
    shown,
  ]);
}
