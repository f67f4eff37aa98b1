import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json'];

/** A part of the build that is made again only when its sources have changed. */
export interface RecordedPart {
  readonly root: string;
  /** Files and folders from which it is built, beside the settings of all. */
  readonly sources: readonly string[];
  /** A file that the build writes. */
  readonly output: string;
  /** File that holds the fingerprint of the sources of the last build. */
  readonly record: string;
}

/** Builds a part unless it is there from the same sources. */
export async function buildIfChanged(part: RecordedPart, build: () => Promise<void>): Promise<void> {
  const { root, sources, output } = part;
  const record = join(root, part.record);
  const fingerprint = fingerprintOf(root, [...SETTINGS, ...sources]);
  const isCurrent = existsSync(join(root, output)) && existsSync(record);
  if (isCurrent && readFileSync(record, 'utf8').trim() === fingerprint) return;
  await build();
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, `${fingerprint}\n`);
}

function fingerprintOf(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((each) => filesOf(root, each)))
    hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

/** Files below a path, or the path itself where it is a file. */
function filesOf(root: string, path: string): string[] {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isFile()) return [path];
  return readdirSync(join(root, path))
    .toSorted()
    .flatMap((name) => filesOf(root, `${path}/${name}`));
}
