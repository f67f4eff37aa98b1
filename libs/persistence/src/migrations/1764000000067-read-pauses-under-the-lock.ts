import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a claim of a webhook delivery read whether its receiver is paused after it has got the lock of the receiver. */
export class ReadPausesUnderTheLock1764000000067 implements MigrationInterface {
  readonly name = 'ReadPausesUnderTheLock1764000000067';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(IS_PAUSED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION is_webhook_receiver_paused`);
  }
}

const IS_PAUSED = `CREATE OR REPLACE FUNCTION is_webhook_receiver_paused(of_tenant text, to_receiver text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      RETURN EXISTS (SELECT 1 FROM webhook_breaker
                      WHERE tenant_id = of_tenant AND receiver = to_receiver AND paused_until > now());
    END $$`;
