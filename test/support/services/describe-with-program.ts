import { describe } from '@jest/globals';

/** A program of the system that a suite needs. */
export interface NeededProgram {
  /** As a person knows it, with how to install it. */
  readonly name: string;
  readonly isInstalled: boolean;
}

/** A suite that needs a program: skipped, with the reason in its name, where it is missing; an error where `CI` is set. */
export function describeWithProgram(program: NeededProgram, name: string, suite: () => void): void {
  if (program.isInstalled) describe(name, suite);
  else if ((process.env['CI'] ?? '') === '')
    describe.skip(`${name} (skipped: ${program.name} is not installed)`, suite);
  else throw new Error(`${program.name} is not installed; with CI set nothing is skipped`);
}
