import type { Domain } from '#libs/tooling';
import type { Manager } from './domains/manager-database.js';
import { loadProject, type LoadedProject } from './load-project.js';

const domains = new Map<string, Promise<readonly Domain<Manager>[]>>();

/**
 * The domains of the projects in `PROJECT`; none if it is not set. Each part that cannot be loaded is a warning of the
 * process. API and worker in one process load the project once. A folder that cannot be read ends the process, since domains
 * load before any caller could catch it.
 * @param describeFailure text for the operator of the error that ends the process
 */
export function projectDomains(
  { PROJECT: folder = '' }: Readonly<Record<string, string | undefined>>,
  describeFailure: (error: unknown) => string,
): Promise<readonly Domain<Manager>[]> {
  const loaded = domains.get(folder) ?? load(folder, describeFailure);
  domains.set(folder, loaded);
  return loaded;
}

async function load(
  folder: string,
  describeFailure: (error: unknown) => string,
): Promise<readonly Domain<Manager>[]> {
  const { domains: loaded, problems } = await loadProject(folder).catch((error: unknown): LoadedProject => {
    process.stderr.write(`${describeFailure(error)}\n`);
    return process.exit(1);
  });
  for (const problem of problems) process.emitWarning(problem, 'ProjectWarning');
  return loaded;
}
