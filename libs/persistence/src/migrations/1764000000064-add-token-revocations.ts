import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens of users whose tool server was deleted, until they are revoked. */
export class AddTokenRevocations1764000000064 implements MigrationInterface {
  readonly name = 'AddTokenRevocations1764000000064';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "token_revocation" (
      "connection_id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "server_id" uuid NOT NULL,
      "auth" jsonb,
      "literals_sealed" text,
      "grant_sealed" text NOT NULL,
      "tries" integer NOT NULL DEFAULT 0,
      "due_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      "dispatched_at" TIMESTAMP WITH TIME ZONE,
      "claim_token" uuid,
      "lease_expires_at" TIMESTAMP WITH TIME ZONE,
      CONSTRAINT "token_revocation_pkey" PRIMARY KEY ("connection_id")
    )`);
    await runner.query(`CREATE INDEX "token_revocation_due_idx" ON "token_revocation" ("due_at")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "token_revocation"`);
  }
}
