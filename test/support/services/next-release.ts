import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleTestPrograms } from './compile-programs.ts';
import { ServiceCopy } from './service-copy.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PROGRAMS = join('dist', 'test', 'crash', 'programs');
const JOURNAL = join('libs', 'persistence', 'src', 'executions');

/**
 * Builds the release after this one: its journal has one more version, in which alone it writes the first fact of each run,
 * `execution_prepared`.
 */
export async function buildNextRelease(): Promise<ServiceCopy> {
  const next = await ServiceCopy.make();
  const versions = join(JOURNAL, 'read-journal.ts');
  const version = await readVersion(join(next.root, versions));
  await next.replace(versions, `JOURNAL_VERSION = ${version};`, `JOURNAL_VERSION = ${version + 1};`);
  await next.replace(
    join(JOURNAL, 'append-facts.ts'),
    'version: versionOf(entry)',
    `version: kind === 'execution_prepared' ? ${version + 1} : versionOf(entry)`,
  );
  await next.build();
  await cp(join(ROOT, PROGRAMS), join(next.root, PROGRAMS), { recursive: true });
  await bundleTestPrograms(next.root);
  return next;
}

async function readVersion(file: string): Promise<number> {
  const version = /JOURNAL_VERSION = (?<number>\d+);/.exec(await readFile(file, 'utf8'))?.groups?.['number'];
  if (version === undefined) throw new Error(`${file} names no version`);
  return Number(version);
}
