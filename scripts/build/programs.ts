/** Started by other programs, which find them beside themselves under the name that their module has, too. */
export const STARTED_PROGRAMS = {
  isolated: 'apps/worker/src/isolation/isolated.js',
  'guard.thread': 'apps/worker/src/guard/guard.thread.js',
  'parse-program': 'libs/document-parsers/src/parse-program.js',
  'description-program': 'libs/tool-sources/src/openapi/apart/description-program.js',
  'watch.thread': 'libs/bounded-process/src/watch.thread.js',
} as const;

/** Every program that the service is started as or starts by itself: the compiled module below `dist` it begins with. */
export const PROGRAMS = {
  api: 'apps/api/src/main.js',
  worker: 'apps/worker/src/main.js',
  service: 'apps/service/src/main.js',
  migrate: 'apps/migrate/src/main.js',
  ...STARTED_PROGRAMS,
} as const;

/** No part of the service, and no part of its image. */
export const SIMULATOR = { simulator: 'apps/simulator/src/main.js' } as const;

const ALL = { ...PROGRAMS, ...SIMULATOR };

export type ProgramName = keyof typeof ALL;

export const PROGRAM_NAMES = Object.keys(ALL) as readonly ProgramName[];

/** Where the bundles of a build are, below its root. */
export const PROGRAM_FOLDERS = { service: 'dist/programs', simulator: 'dist/simulator' } as const;

/** The file to start, below the root of a build. */
export function programFile(name: ProgramName): string {
  return `${PROGRAM_FOLDERS[name === 'simulator' ? 'simulator' : 'service']}/${name}.js`;
}

/** The same program as separate modules, which are there without a bundle: the compiler wrote them. */
export function compiledFile(name: ProgramName): string {
  return `dist/${ALL[name]}`;
}
