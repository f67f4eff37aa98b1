import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { judgeSchema, readTenantColumns } from '../../../support/citus/read-catalogue.js';
import { SCHEMA, STATEMENTS } from './exceptions.js';
import { RecordedRun } from './recorded-run.js';

/** Statements that a run may send or not, as timers have it; they break what they break. */
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
});
