import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '#libs/kernel';
import type { Domain } from '#libs/tooling';
import { describeLoadFailure } from './describe-load-failure.js';
import type { Manager } from './domains/manager-database.js';
import type { SqlFile } from './domains/sql-migrations.js';
import { toProjectDomains, type ProjectDomains } from './project-domain.js';
import { PROJECT_FOLDERS, readFolders, selectProjectFiles } from './project-files.js';
import { emptyPartProblem, readExports, type ProjectPart, type ProjectProblem } from './project-part.js';
import { readAsModules } from './read-as-modules.js';

/** Bounds the imports of a folder that is no project, such as `/`. */
const MAX_FILES = 1_000;

export interface LoadedProject {
  /** Domains of all folders; empty without a project. */
  readonly domains: readonly Domain<Manager>[];
  /** One line for each part that is not loaded, with its file and line. */
  readonly problems: readonly string[];
}

/**
 * Imports the parts of all projects in `folders`. A file that throws, or that defines an unusable part, is left out
 * and described in `problems`; the rest is loaded.
 * @param folders value of `PROJECT`, comma-separated; undefined or empty without a project
 * @throws {AppError} `INVALID_CONFIGURATION` if a folder cannot be read or holds more than 1 000 files
 */
export async function loadProject(folders: string | undefined): Promise<LoadedProject> {
  const roots = readFolders(folders).map((folder) => resolve(folder));
  const domains: Domain<Manager>[] = [];
  const problems: string[] = [];
  for (const [index, root] of roots.entries()) {
    if (!(await isFolder(root)))
      throw invalidProject(
        `there is no folder ${root}${roots.length === 1 ? '' : ' (a comma separates two folders)'}`,
      );
    const loaded = await loadFolder(root, index === 0 ? 'project' : `project-${index + 1}`);
    const prefix = roots.length === 1 ? '' : `${root}/`;
    domains.push(...loaded.domains);
    problems.push(...loaded.problems.map(({ place, reason }) => `${prefix}${place}: ${reason}`));
  }
  return { domains, problems };
}

/** @param name domain of the parts that belong to no domain of the project */
async function loadFolder(root: string, name: string): Promise<ProjectDomains> {
  const files = selectProjectFiles(await listFiles(root));
  if (files.length > MAX_FILES)
    throw invalidProject(
      `${root} has ${files.length} files below ${PROJECT_FOLDERS.join(', ')}, at most ${MAX_FILES} are loaded`,
    );
  readAsModules(root);
  const parts: ProjectPart[] = [];
  const problems: ProjectProblem[] = [];
  for (const file of files) {
    try {
      const part = await importPart(root, file);
      const problem = emptyPartProblem(part);
      if (problem === null) parts.push(part);
      else problems.push(problem);
    } catch (error) {
      problems.push(describeLoadFailure(root, file, error));
    }
  }
  const assembled = toProjectDomains(parts, name);
  return { domains: assembled.domains, problems: [...problems, ...assembled.problems] };
}

async function importPart(root: string, file: string): Promise<ProjectPart> {
  const exported = (await import(pathToFileURL(join(root, file)).href)) as Record<string, unknown>;
  return readExports(file, exported, file.startsWith('domains/') ? await readMigrations(root, file) : []);
}

/** The migrations beside the file of a domain, in the order of their names. */
async function readMigrations(root: string, file: string): Promise<SqlFile[]> {
  const folder = join(root, file, '..', 'migrations');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(files.map(async (name) => ({ name, sql: await readFile(join(folder, name), 'utf8') })));
}

/** Paths of all files below the folders of a project, relative to the project, with `/` between their parts. */
async function listFiles(root: string): Promise<string[]> {
  const lists = await Promise.all(
    PROJECT_FOLDERS.map((name) =>
      readdir(join(root, name), { recursive: true }).then(
        (paths) => paths.map((path) => `${name}/${path.replaceAll(sep, '/')}`),
        () => [],
      ),
    ),
  );
  return lists.flat();
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function invalidProject(reason: string): AppError {
  return new AppError({
    code: 'INVALID_CONFIGURATION',
    kind: 'invalid_input',
    message: `PROJECT: ${reason}`,
  });
}
