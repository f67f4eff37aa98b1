// Jest loads it as it does `global-setup.ts`.
import { compilePrograms } from './compile-programs.ts';
import setUpServices from './global-setup.ts';

/** What `global-setup` does, for tests that start programs which exist for tests only. */
export default async function setUpWithPrograms(): Promise<void> {
  await Promise.all([compilePrograms(), setUpServices()]);
}
