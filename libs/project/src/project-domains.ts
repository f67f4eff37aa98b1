import { describeStartFailure } from '#libs/observability';
import type { Domain } from '#libs/tooling';
import { loadProject, type LoadedProject } from './load-project.js';

const domains = new Map<string, Promise<readonly Domain[]>>();

/**
 * The domain of the project in `PROJECT`; none if it is not set. Each part that cannot be loaded is a warning of the
 * process. API and worker in one process load the project once. A folder that cannot be read ends the process, since domains
 * load before any caller could catch it.
 */
export function projectDomains({
  PROJECT: folder = '',
}: Readonly<Record<string, string | undefined>>): Promise<readonly Domain[]> {
  const loaded = domains.get(folder) ?? load(folder);
  domains.set(folder, loaded);
  return loaded;
}

async function load(folder: string): Promise<readonly Domain[]> {
  const { domain, problems } = await loadProject(folder).catch(endProcess);
  for (const problem of problems) process.emitWarning(problem, 'ProjectWarning');
  return domain === null ? [] : [domain];
}

function endProcess(error: unknown): LoadedProject {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  return process.exit(1);
}
