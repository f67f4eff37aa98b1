import type { Files } from './house-fixture.js';

/** One violation of one rule: the files that are added to the sound repository. */
export interface SeededViolation {
  readonly rule: string;
  readonly how: string;
  readonly files: Files;
}
