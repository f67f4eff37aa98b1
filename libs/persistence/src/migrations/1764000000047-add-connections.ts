import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people have agreed to: that tool servers are used on their behalf. */
export class AddConnections1764000000047 implements MigrationInterface {
  readonly name = 'AddConnections1764000000047';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "tool_trial" DROP COLUMN "user_id"`);
    await runner.query(`DROP TABLE "connection"`);
  }
}

const statements = [
  `CREATE TABLE "connection" (
      "id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "server_id" uuid NOT NULL,
      "user_id" character varying(200) NOT NULL,
      "status" text NOT NULL DEFAULT 'pending',
      "reason" text,
      "scope" text,
      "missing_scope" text,
      "grant_sealed" text,
      "destination" text,
      "token_issued_at" TIMESTAMP WITH TIME ZONE,
      "token_expires_at" TIMESTAMP WITH TIME ZONE,
      "refresh_lease" uuid,
      "refresh_until" TIMESTAMP WITH TIME ZONE,
      "attempt_id" uuid,
      "attempt_state" text,
      "attempt_sealed" text,
      "attempt_fault" text,
      "attempt_expires_at" TIMESTAMP WITH TIME ZONE,
      "connected_at" TIMESTAMP WITH TIME ZONE,
      "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "connection_status_check" CHECK ("status" IN ('pending', 'connected', 'needs_reconnect', 'revoked')),
      CONSTRAINT "connection_pkey" PRIMARY KEY ("id"),
      CONSTRAINT "connection_tenant_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE RESTRICT,
      CONSTRAINT "connection_server_fkey" FOREIGN KEY ("server_id") REFERENCES "tool_server"("id") ON DELETE CASCADE
    )`,
  `CREATE UNIQUE INDEX "connection_user_key" ON "connection" ("tenant_id", "server_id", "user_id")`,
  `CREATE INDEX "connection_tenant_idx" ON "connection" ("tenant_id", "id")`,
  `CREATE INDEX "connection_status_idx" ON "connection" ("tenant_id", "status", "id")`,
  `CREATE INDEX "connection_of_user_idx" ON "connection" ("tenant_id", "user_id", "id")`,
  `CREATE INDEX "connection_server_idx" ON "connection" ("server_id")`,
  `CREATE UNIQUE INDEX "connection_attempt_state_key" ON "connection" ("attempt_state")`,
  `ALTER TABLE "tool_trial" ADD "user_id" character varying(200)`,
];
