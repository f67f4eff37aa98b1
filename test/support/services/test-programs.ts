/** Programs that are the service with some of its parts decorated: bundled as it is, they start as it does. */
export const TEST_PROGRAMS = [
  'chaos-worker',
  'crash-api',
  'crash-isolated',
  'crash-worker',
  'fetching-worker',
] as const;

/** Where their bundles are, below the root of a build. */
export const TEST_PROGRAM_FOLDER = 'dist/test/programs';

/** The file to start, below the root of a build. */
export function testProgramFile(name: (typeof TEST_PROGRAMS)[number]): string {
  return `${TEST_PROGRAM_FOLDER}/${name}.js`;
}
