/** Programs that others start; they find them beside themselves, under the module's name, too. */
export const STARTED_PROGRAMS = {
  isolated: 'apps/worker/src/isolation/isolated.js',
  'guard.thread': 'apps/worker/src/guard/guard.thread.js',
  'parse-program': 'libs/document-parsers/src/parse-program.js',
  'description-program': 'libs/tool-sources/src/openapi/apart/description-program.js',
  'claude-program': 'libs/model-providers/src/claude-agent-sdk/claude-program.js',
  'watch.thread': 'libs/bounded-process/src/watch.thread.js',
} as const;

/** All programs of the service, started by the operator or by it, with their compiled entry below `dist`. */
export const PROGRAMS = {
  api: 'apps/api/src/main.js',
  worker: 'apps/worker/src/main.js',
  service: 'apps/service/src/main.js',
  migrate: 'apps/migrate/src/main.js',
  ...STARTED_PROGRAMS,
} as const;

/** Not part of the service and its image. */
export const SIMULATOR = { simulator: 'apps/simulator/src/main.js' } as const;

const ALL = { ...PROGRAMS, ...SIMULATOR };

export type ProgramName = keyof typeof ALL;

export const PROGRAM_NAMES = Object.keys(ALL) as readonly ProgramName[];

/** Folders of the bundles of a build, below its root. */
export const PROGRAM_FOLDERS = { service: 'dist/programs', simulator: 'dist/simulator' } as const;

/** Bundle of the program, below the root of a build. */
export function programFile(name: ProgramName): string {
  return `${PROGRAM_FOLDERS[name === 'simulator' ? 'simulator' : 'service']}/${name}.js`;
}

/** Compiled entry of the program, which exists without a bundle. */
export function compiledFile(name: ProgramName): string {
  return `dist/${ALL[name]}`;
}
