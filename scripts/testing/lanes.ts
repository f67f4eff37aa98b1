import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A part of all tests that can run alone: `npm run test:all -- --lane <name>`. */
export interface Lane {
  readonly name: string;
  /** A project of `jest.config.ts`. */
  readonly project: string;
  /** Folder below the root; null for the whole project. */
  readonly folder: string | null;
  /** Approximate duration of all cases on two cores, in minutes. */
  readonly minutes: number;
}

const WHOLE_PROJECTS = ['unit', 'architecture', 'integration'];
const PROJECTS_OF_FOLDERS = ['crash', 'e2e'];
/** Durations of lanes above `USUAL_MINUTES`, in minutes. */
const MINUTES: Readonly<Record<string, number>> = {
  'crash/attribution': 8,
  'crash/documents': 8,
  'crash/engines': 8,
  'crash/matrix': 20,
  'e2e/commands': 15,
};
const USUAL_MINUTES = 6;
/** Needs `npm run claude:install` first, which CI does not run: the package is under terms of its own. */
const NEVER_DRAWN = 'e2e/claude';

/** Finds a lane for each folder of `test/crash` and `test/e2e` with spec files, and for each other project. */
export function findLanes(root: string): Lane[] {
  const whole = WHOLE_PROJECTS.map((project) => ({ name: project, project, folder: null }));
  const parts = PROJECTS_OF_FOLDERS.flatMap((project) =>
    foldersOfSpecs(join(root, 'test', project)).map((name) => ({
      name: `${project}/${name}`,
      project,
      folder: `test/${project}/${name}/`,
    })),
  );
  return [...whole, ...parts].map((lane) => ({ ...lane, minutes: MINUTES[lane.name] ?? USUAL_MINUTES }));
}

/** Spec files in deeper folders contain pure code, and belong to the lane `unit`. */
function foldersOfSpecs(folder: string): string[] {
  return [...new Set(globSync('*/*.spec.ts', { cwd: folder }).map((file) => dirname(file)))].sort();
}

/**
 * Draws lanes of at most `minutes` together, determined by a text, since `npm test` already runs most cases of the other
 * lanes. Pure.
 */
export function drawLanes(lanes: readonly Lane[], text: string, minutes: number): Lane[] {
  const place = ({ name }: Lane): string => createHash('sha256').update(`${text} ${name}`).digest('hex');
  const candidates = lanes.filter(({ name, folder }) => folder !== null && name !== NEVER_DRAWN);
  const drawn: Lane[] = [];
  let left = minutes;
  for (const lane of candidates.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))) {
    if (lane.minutes > left) continue;
    drawn.push(lane);
    left -= lane.minutes;
  }
  return drawn;
}
