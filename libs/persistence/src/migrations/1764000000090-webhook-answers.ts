import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attempts at webhook deliveries keep the beginning of what the receiver answered. */
export class WebhookAnswers1764000000090 implements MigrationInterface {
  readonly name = 'WebhookAnswers1764000000090';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_attempt ADD answer jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_attempt DROP answer');
  }
}
