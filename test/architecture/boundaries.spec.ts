import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ICruiseResult } from 'dependency-cruiser';
import { cruiseHouse, cruiseProject, ruleNames, SOUND_HOUSE, type Files } from './house-fixture.js';
import type { SeededViolation } from './seeded-violation.js';
import { SEEDED_VIOLATIONS } from './seeded-violations.js';
import { shareHouses } from './share-houses.js';
import { whenAllRun } from '../support/selection.js';
import { LINTER_TIME_LIMIT_MS } from './linter-time-limit.js';

/** Names of the rules that an import in one of these files breaks. */
const brokenRules = (result: ICruiseResult, files: Files): string[] => [
  ...new Set(
    result.summary.violations.filter(({ from }) => from in files).map((violation) => violation.rule.name),
  ),
];

/** Violations without a common file share one repository, which is then checked only once. */
const HOUSES = shareHouses(SEEDED_VIOLATIONS);
const cruised = new Map<Files, Promise<ICruiseResult>>();

function cruiseHouseOf(seeded: SeededViolation): Promise<ICruiseResult> {
  const house = HOUSES.get(seeded) ?? {};
  const result = cruised.get(house) ?? cruiseHouse(house);
  cruised.set(house, result);
  return result;
}

const edges = (result: ICruiseResult): string[] =>
  result.modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ module, resolved }) => `${source} -${module}-> ${resolved}`),
  );

describe('the rules of the house', () => {
  it('accept a sound house', async () => {
    expect((await cruiseHouse(SOUND_HOUSE)).summary.violations).toEqual([]);
  });

  it.each(SEEDED_VIOLATIONS)('$rule, and no other rule, is broken when $how', async (seeded) => {
    expect(brokenRules(await cruiseHouseOf(seeded), seeded.files)).toEqual([seeded.rule]);
  });

  it('are each broken by at least one seeded violation', async () => {
    const seeded = SEEDED_VIOLATIONS.map(({ rule }) => rule);
    expect(new Set(seeded)).toEqual(new Set(await ruleNames()));
  });
});

/** Only with `TESTS=all`, since `npm run check:arrows` checks the whole repository daily. */
whenAllRun(() =>
  describe('the real house', () => {
    let result: ICruiseResult;
    beforeAll(async () => {
      result = await cruiseProject();
    }, LINTER_TIME_LIMIT_MS);

    it('breaks no rule', () => {
      const broken = result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
      expect(broken).toEqual([]);
    });

    it('was really looked at', () => {
      expect(result.modules.filter(({ source }) => source.startsWith('libs/')).length).toBeGreaterThan(50);
      expect(result.modules.filter(({ source }) => source.startsWith('apps/')).length).toBeGreaterThan(20);
    });

    it.each([
      ['libs/payloads/src/', '#libs/kernel', 'libs/kernel/src/index.ts'],
      ['libs/agent-core/src/', '#libs/tooling', 'libs/tooling/src/index.ts'],
      ['libs/persistence/src/', '#libs/agent-core', 'libs/agent-core/src/index.ts'],
      ['libs/executions/src/', '#libs/agent-core', 'libs/agent-core/src/index.ts'],
      ['libs/persistence/src/', '#libs/executions', 'libs/executions/src/index.ts'],
      ['apps/api/src/', '#libs/persistence', 'libs/persistence/src/index.ts'],
      ['apps/worker/src/', '#libs/executions', 'libs/executions/src/index.ts'],
    ])('has an arrow from %s to %s, found at %s', (from, name, to) => {
      const found = edges(result).some((edge) => edge.startsWith(from) && edge.endsWith(` -${name}-> ${to}`));
      expect(found).toBe(true);
    });
  }),
);
