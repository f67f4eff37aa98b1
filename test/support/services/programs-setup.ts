// Jest loads it as it does `global-setup.ts`.
import { compilePrograms } from './compile-programs.ts';
import setUpServices from './global-setup.ts';

/** The work of `global-setup`, for tests that start test programs. */
export default async function setUpWithPrograms(): Promise<void> {
  await Promise.all([compilePrograms(), setUpServices()]);
}
