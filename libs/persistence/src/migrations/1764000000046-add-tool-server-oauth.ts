import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What authorization servers give a tenant for its tool servers: tokens, and names that it registers under. */
export class AddToolServerOAuth1764000000046 implements MigrationInterface {
  readonly name = 'AddToolServerOAuth1764000000046';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "tool_server_oauth" (
      "server_id" uuid NOT NULL,
      "kind" text NOT NULL,
      "tenant_id" text NOT NULL,
      "server_version" integer NOT NULL,
      "sealed" text NOT NULL,
      "issued_at" TIMESTAMP WITH TIME ZONE NOT NULL,
      "expires_at" TIMESTAMP WITH TIME ZONE,
      CONSTRAINT "tool_server_oauth_kind_check" CHECK ("kind" IN ('token', 'client')),
      CONSTRAINT "tool_server_oauth_pkey" PRIMARY KEY ("server_id", "kind"),
      CONSTRAINT "tool_server_oauth_server_fkey" FOREIGN KEY ("server_id") REFERENCES "tool_server"("id") ON DELETE CASCADE
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "tool_server_oauth"`);
  }
}
