import type { Files } from './house-fixture.js';

/** One way to break one rule of the house: what is added to the sound house, and the file that gets the blame. */
export interface SeededViolation {
  readonly rule: string;
  readonly how: string;
  readonly files: Files;
}
