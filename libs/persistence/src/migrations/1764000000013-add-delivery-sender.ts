import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who sends a delivery, so that its death makes it due again at once; what is under way while this is applied has none. */
export class AddDeliverySender1764000000013 implements MigrationInterface {
  readonly name = 'AddDeliverySender1764000000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "webhook_delivery" ADD "sender" text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "webhook_delivery" DROP COLUMN "sender"`);
  }
}
