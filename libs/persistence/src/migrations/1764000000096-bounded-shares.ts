import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSchema } from '../read-schema.js';

/** A claim reads at most a share of what a waiting tenant runs. */
export class BoundedShares1764000000096 implements MigrationInterface {
  readonly name = 'BoundedShares1764000000096';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSchema('fair-shares'));
  }

  /** The functions stay, since they answer as before. */
  async down(): Promise<void> {
    // Nothing to undo.
  }
}
