import { describe } from '@jest/globals';

/** A program of the system that a suite needs. */
export interface NeededProgram {
  /** The program's name, with the way to install it. */
  readonly name: string;
  readonly isInstalled: boolean;
}

/**
 * Describes a suite that needs a program. Without the program the suite is skipped, with the reason in its name; under `CI`
 * it fails.
 */
export function describeWithProgram(program: NeededProgram, name: string, suite: () => void): void {
  if (program.isInstalled) describe(name, suite);
  else if ((process.env['CI'] ?? '') === '')
    describe.skip(`${name} (skipped: ${program.name} is not installed)`, suite);
  else throw new Error(`${program.name} is not installed; with CI set nothing is skipped`);
}
