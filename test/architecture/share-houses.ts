import { SOUND_HOUSE, type Files } from './house-fixture.js';
import type { SeededViolation } from './seeded-violation.js';

/** The repository of each violation: the sound one with the files of all violations that have no common file. Pure. */
export function shareHouses(seeded: readonly SeededViolation[]): ReadonlyMap<SeededViolation, Files> {
  const houses: SeededViolation[][] = [];
  for (const one of seeded) {
    const shared = houses.find((others) => others.every(({ files }) => areApart(files, one.files)));
    if (shared === undefined) houses.push([one]);
    else shared.push(one);
  }
  return new Map(
    houses.flatMap((together) => {
      const house: Files = Object.assign({}, SOUND_HOUSE, ...together.map(({ files }) => files)) as Files;
      return together.map((one) => [one, house] as const);
    }),
  );
}

function areApart(some: Files, others: Files): boolean {
  return Object.keys(some).every((path) => !(path in others));
}
