import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tool servers of tenants, and what each was last seen to offer. */
export class AddToolServers1764000000034 implements MigrationInterface {
  readonly name = 'AddToolServers1764000000034';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "tool_server_listing", "tool_server"`);
  }
}

const statements = [
  `CREATE TABLE "tool_server" (
      "id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "name" character varying(32) NOT NULL,
      "type" text NOT NULL,
      "status" text NOT NULL DEFAULT 'active',
      "config" jsonb NOT NULL,
      "literals_sealed" text,
      "tools" jsonb NOT NULL DEFAULT '{}',
      "limits" jsonb NOT NULL,
      "version" integer NOT NULL DEFAULT '1',
      "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "tool_server_status_check" CHECK ("status" IN ('active', 'inactive')),
      CONSTRAINT "tool_server_type_check" CHECK ("type" IN ('http', 'sse', 'stdio', 'openapi', 'builtin')),
      CONSTRAINT "tool_server_pkey" PRIMARY KEY ("id"),
      CONSTRAINT "tool_server_tenant_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE RESTRICT
    )`,
  `CREATE UNIQUE INDEX "tool_server_name_key" ON "tool_server" ("tenant_id", "name")`,
  `CREATE INDEX "tool_server_tenant_idx" ON "tool_server" ("tenant_id", "id")`,
  `CREATE TABLE "tool_server_listing" (
      "server_id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "server_version" integer NOT NULL,
      "tools" jsonb NOT NULL,
      "listed_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "tool_server_listing_pkey" PRIMARY KEY ("server_id"),
      CONSTRAINT "tool_server_listing_server_fkey" FOREIGN KEY ("server_id") REFERENCES "tool_server"("id") ON DELETE CASCADE
    )`,
  `CREATE INDEX "tool_server_listing_tenant_idx" ON "tool_server_listing" ("tenant_id")`,
];
