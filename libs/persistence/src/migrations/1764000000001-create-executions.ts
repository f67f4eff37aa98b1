import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accepted work, its facts, its audit and its live events. */
export class CreateExecutions1764000000001 implements MigrationInterface {
  readonly name = 'CreateExecutions1764000000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE "execution_event", "usage_log", "run_step", "journal_entry", "idempotency_key", "execution"`,
    );
    await runner.query(`DROP FUNCTION refuse_change_of_settled_execution`);
  }
}

const statements = [
  `CREATE UNLOGGED TABLE "execution_event" (
      "execution_id" uuid NOT NULL,
      "sequence" integer NOT NULL,
      "event" text NOT NULL,
      "data" jsonb NOT NULL,
      "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_703f43e8ccc2427f22b8a519331" PRIMARY KEY ("execution_id", "sequence")
    )`,
  `CREATE INDEX "IDX_db1c8fa170a042a5087ba83bb2" ON "execution_event" ("created_at")`,
  `CREATE TABLE "execution" (
      "id" uuid NOT NULL,
      "tenant_id" text NOT NULL,
      "agent_id" integer NOT NULL,
      "session_id" uuid NOT NULL,
      "turn_number" integer NOT NULL,
      "status" text NOT NULL DEFAULT 'queued',
      "request" jsonb NOT NULL,
      "metadata" jsonb NOT NULL DEFAULT '{}',
      "attempt" integer NOT NULL DEFAULT '0',
      "lost_attempts" integer NOT NULL DEFAULT '0',
      "epoch" integer NOT NULL DEFAULT '0',
      "lease_owner" text,
      "lease_expires_at" TIMESTAMP WITH TIME ZONE,
      "dispatched_at" TIMESTAMP WITH TIME ZONE,
      "deadline_at" TIMESTAMP WITH TIME ZONE,
      "result_message_id" integer,
      "incomplete_reason" text,
      "error" jsonb,
      "usage" jsonb,
      "execution_metadata" jsonb NOT NULL DEFAULT '{}',
      "working_memory" jsonb,
      "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      "started_at" TIMESTAMP WITH TIME ZONE,
      "finished_at" TIMESTAMP WITH TIME ZONE,
      CONSTRAINT "execution_status_check" CHECK ("status" IN ('queued', 'running', 'requires_action', 'completed', 'incomplete', 'failed', 'cancelled')),
      CONSTRAINT "PK_cc6684fedf29ec4c86db8448a2b" PRIMARY KEY ("id")
    )`,
  `CREATE INDEX "execution_list_idx" ON "execution" ("tenant_id", "id")`,
  `CREATE INDEX "execution_lease_idx" ON "execution" ("lease_expires_at") WHERE "status" = 'running'`,
  `CREATE INDEX "execution_queued_idx" ON "execution" ("tenant_id", "created_at") WHERE "status" = 'queued'`,
  `CREATE INDEX "execution_unsettled_idx" ON "execution" ("session_id", "turn_number") WHERE "status" IN ('queued', 'running', 'requires_action')`,
  `CREATE UNIQUE INDEX "execution_turn_key" ON "execution" ("session_id", "turn_number")`,
  `CREATE TABLE "idempotency_key" (
      "tenant_id" text NOT NULL,
      "key" character varying(255) NOT NULL,
      "request_sha256" text NOT NULL,
      "execution_id" uuid NOT NULL,
      "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL,
      CONSTRAINT "PK_1fc132a82ff87e3197a183e7d43" PRIMARY KEY ("tenant_id", "key")
    )`,
  `CREATE INDEX "IDX_40aab95c36e58255f7618768f0" ON "idempotency_key" ("expires_at")`,
  `CREATE TABLE "journal_entry" (
      "execution_id" uuid NOT NULL,
      "sequence" integer NOT NULL,
      "tenant_id" text NOT NULL,
      "epoch" integer NOT NULL,
      "version" smallint NOT NULL DEFAULT '1',
      "kind" text NOT NULL,
      "data" jsonb NOT NULL,
      "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_032f7ce1ba2632d81cac5db57da" PRIMARY KEY ("execution_id", "sequence")
    )`,
  `CREATE TABLE "run_step" (
      "execution_id" uuid NOT NULL,
      "round" integer NOT NULL,
      "position" integer NOT NULL,
      "tenant_id" text NOT NULL,
      "attempt" integer NOT NULL,
      "call_id" text NOT NULL,
      "tool_name" text NOT NULL,
      "input" jsonb NOT NULL,
      "output" jsonb,
      "status" text NOT NULL,
      "error" text,
      "started_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      "finished_at" TIMESTAMP WITH TIME ZONE,
      CONSTRAINT "PK_c29482b07f7946d055c4fe828ca" PRIMARY KEY ("execution_id", "round", "position")
    )`,
  `CREATE TABLE "usage_log" (
      "execution_id" uuid NOT NULL,
      "round" integer NOT NULL,
      "tenant_id" text NOT NULL,
      "agent_id" integer NOT NULL,
      "session_id" uuid NOT NULL,
      "model" text NOT NULL,
      "response_id" text,
      "input_tokens" integer,
      "cached_input_tokens" integer,
      "output_tokens" integer,
      "reasoning_tokens" integer,
      "total_tokens" integer,
      "executed_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_2fc9aedd0b48d1c046a4ee07b1a" PRIMARY KEY ("execution_id", "round")
    )`,
  `CREATE INDEX "IDX_fd80d0940879d871f2fb56f16c" ON "usage_log" ("tenant_id", "executed_at")`,
  `ALTER TABLE "execution" ADD CONSTRAINT "FK_7a7c89b10585f195142dc8715e4"
      FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE RESTRICT`,
  `ALTER TABLE "execution" ADD CONSTRAINT "FK_657cbc7ea83ac41b197df7ef410"
      FOREIGN KEY ("session_id") REFERENCES "chat_session"("id") ON DELETE CASCADE`,
  `ALTER TABLE "idempotency_key" ADD CONSTRAINT "FK_c1143863cb2f3d41e68213fd93b"
      FOREIGN KEY ("execution_id") REFERENCES "execution"("id") ON DELETE CASCADE`,
  `ALTER TABLE "journal_entry" ADD CONSTRAINT "FK_1ecca797e47dcb654cc453810f1"
      FOREIGN KEY ("execution_id") REFERENCES "execution"("id") ON DELETE CASCADE`,
  `ALTER TABLE "run_step" ADD CONSTRAINT "FK_1e9cbec596bb2367cd9ddca20a0"
      FOREIGN KEY ("execution_id") REFERENCES "execution"("id") ON DELETE CASCADE`,
  `ALTER TABLE "usage_log" ADD CONSTRAINT "FK_5278f85c63c48f39d44f99d3729"
      FOREIGN KEY ("execution_id") REFERENCES "execution"("id") ON DELETE CASCADE`,
  // An ending is final, whoever tries to change it.
  `CREATE FUNCTION refuse_change_of_settled_execution() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'execution % is settled and cannot change', OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END $$`,
  `CREATE TRIGGER execution_settled_is_final BEFORE UPDATE ON "execution" FOR EACH ROW
    WHEN (OLD.status IN ('completed', 'incomplete', 'failed', 'cancelled'))
    EXECUTE FUNCTION refuse_change_of_settled_execution()`,
];
