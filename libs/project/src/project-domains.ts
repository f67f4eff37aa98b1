import { DomainCatalogue } from '#libs/tooling';
import type { Manager } from './domains/manager-database.js';
import { loadProject, type LoadedProject } from './load-project.js';

const catalogues = new Map<string, Promise<DomainCatalogue<Manager>>>();

/**
 * The domains of the projects in `PROJECT`; none if it is not set. They shape routes, schemas and migrations while modules
 * load, so programs ask for them before they read the rest of the configuration. Each part that cannot be loaded is a
 * warning of the process. API and worker in one process load the project once. A folder that cannot be read ends the
 * process, since domains load before any caller could catch it.
 * @param describeFailure text for the operator of the error that ends the process
 */
export function projectDomains(
  { PROJECT: folder = '' }: Readonly<Record<string, string | undefined>>,
  describeFailure: (error: unknown) => string,
): Promise<DomainCatalogue<Manager>> {
  const loaded = catalogues.get(folder) ?? load(folder, describeFailure);
  catalogues.set(folder, loaded);
  return loaded;
}

async function load(
  folder: string,
  describeFailure: (error: unknown) => string,
): Promise<DomainCatalogue<Manager>> {
  const { domains, problems } = await loadProject(folder).catch((error: unknown): LoadedProject => {
    process.stderr.write(`${describeFailure(error)}\n`);
    return process.exit(1);
  });
  for (const problem of problems) process.emitWarning(problem, 'ProjectWarning');
  return new DomainCatalogue(domains);
}
