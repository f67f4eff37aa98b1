import type { Domain } from '#libs/tooling';
import { loadProject } from './load-project.js';

const domains = new Map<string, Promise<readonly Domain[]>>();

/**
 * The domain of the project in `PROJECT`; none if it is not set. Each part that cannot be loaded is a warning of the
 * process. API and worker in one process load the project once.
 * @throws {AppError} `INVALID_CONFIGURATION` if the folder cannot be read
 */
export function projectDomains({
  PROJECT: folder = '',
}: Readonly<Record<string, string | undefined>>): Promise<readonly Domain[]> {
  const loaded = domains.get(folder) ?? load(folder);
  domains.set(folder, loaded);
  return loaded;
}

async function load(folder: string): Promise<readonly Domain[]> {
  const { domain, problems } = await loadProject(folder);
  for (const problem of problems) process.emitWarning(problem, 'ProjectWarning');
  return domain === null ? [] : [domain];
}
