import type { Domain } from '#libs/tooling';
import { loadProject } from './load-project.js';

/**
 * The domain of the project in `PROJECT`; none if it is not set. Each part that cannot be loaded is a warning of the process.
 * @throws {AppError} `INVALID_CONFIGURATION` if the folder cannot be read
 */
export async function projectDomains(
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Domain[]> {
  const { domain, problems } = await loadProject(env['PROJECT']);
  for (const problem of problems) process.emitWarning(problem, 'ProjectWarning');
  return domain === null ? [] : [domain];
}
