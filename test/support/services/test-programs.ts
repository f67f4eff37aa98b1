/** Programs of the service with some parts decorated; they are bundled and start as the service does. */
export const TEST_PROGRAMS = [
  'chaos-worker',
  'crash-api',
  'crash-isolated',
  'crash-worker',
  'fetching-worker',
] as const;

/** The folder of their bundles, below the root of a build. */
export const TEST_PROGRAM_FOLDER = 'dist/test/programs';

/** The file to start, below the root of a build. */
export function testProgramFile(name: (typeof TEST_PROGRAMS)[number]): string {
  return `${TEST_PROGRAM_FOLDER}/${name}.js`;
}
