import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names of webhook endpoints, each once per tenant. */
export class NamedWebhookEndpoints1764000000087 implements MigrationInterface {
  readonly name = 'NamedWebhookEndpoints1764000000087';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoint ADD name varchar(100);
      CREATE UNIQUE INDEX webhook_endpoint_name_key ON webhook_endpoint (tenant_id, name)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE webhook_endpoint DROP name`);
  }
}
