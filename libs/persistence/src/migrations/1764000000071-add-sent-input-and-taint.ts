import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Arguments as the model wrote them, beside what ran; and the last turn of a session that foreign content has reached. */
export class AddSentInputAndTaint1764000000071 implements MigrationInterface {
  readonly name = 'AddSentInputAndTaint1764000000071';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "run_step" ADD "sent_input" text`);
    await runner.query(`ALTER TABLE "chat_session" ADD "foreign_turn" integer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "chat_session" DROP COLUMN "foreign_turn"`);
    await runner.query(`ALTER TABLE "run_step" DROP COLUMN "sent_input"`);
  }
}
