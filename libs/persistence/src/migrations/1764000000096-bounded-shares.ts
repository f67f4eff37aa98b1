import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSchema } from '../read-schema.js';

/** A claim reads at most a share of what a waiting tenant runs, and of the line only what another tenant needs. */
export class BoundedShares1764000000096 implements MigrationInterface {
  readonly name = 'BoundedShares1764000000096';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSchema('fair-shares'));
  }

  /** The new text of `places_left` stays, with the function that it calls: it answers as before. */
  async down(): Promise<void> {
    // Nothing to undo.
  }
}
