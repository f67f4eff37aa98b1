import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every change of an agent is a version, and an execution runs the one that it was accepted with. */
export class AddAgentVersions1764000000021 implements MigrationInterface {
  readonly name = 'AddAgentVersions1764000000021';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "execution" DROP "agent_version"`);
    await runner.query(`DROP TRIGGER agent_counts_changes ON "agent"`);
    await runner.query(`DROP TRIGGER agent_keeps_first_version ON "agent"`);
    await runner.query(`DROP TRIGGER agent_keeps_next_version ON "agent"`);
    await runner.query(`DROP FUNCTION count_change_of_agent, keep_version_of_agent`);
    await runner.query(`DROP TABLE "agent_version"`);
  }
}

const CONTENT = ['name', 'usecase_type', 'llm_id', 'system_prompt', 'config', 'tools', 'is_active'];
const contentOf = (row: string): string => CONTENT.map((column) => `${row}.${column}`).join(', ');

const statements = [
  `CREATE TABLE "agent_version" (
      "agent_id" integer NOT NULL,
      "version" integer NOT NULL,
      "tenant_id" text NOT NULL,
      "name" character varying(100) NOT NULL,
      "usecase_type" text NOT NULL,
      "llm_id" integer NOT NULL,
      "system_prompt" text,
      "config" jsonb NOT NULL,
      "tools" jsonb NOT NULL,
      "is_active" boolean NOT NULL,
      "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_52ced604c62dcd0eda716ea883e" PRIMARY KEY ("agent_id", "version")
    )`,
  `ALTER TABLE "agent_version" ADD CONSTRAINT "FK_0361c034329511a6271744547dd"
      FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE`,
  `INSERT INTO "agent_version" (agent_id, version, tenant_id, ${CONTENT.join(', ')}, created_at)
      SELECT id, version, tenant_id, ${CONTENT.join(', ')}, updated_at FROM "agent"`,
  // A trigger, so that a change by an older release or by hand is a version too, in the transaction of the change.
  `CREATE FUNCTION count_change_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.version = OLD.version AND (${contentOf('NEW')}) IS DISTINCT FROM (${contentOf('OLD')})
      THEN NEW.version := OLD.version + 1;
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER agent_counts_changes BEFORE UPDATE ON "agent" FOR EACH ROW
    EXECUTE FUNCTION count_change_of_agent()`,
  `CREATE FUNCTION keep_version_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO agent_version (agent_id, version, tenant_id, ${CONTENT.join(', ')})
      VALUES (NEW.id, NEW.version, NEW.tenant_id, ${contentOf('NEW')});
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER agent_keeps_first_version AFTER INSERT ON "agent" FOR EACH ROW
    EXECUTE FUNCTION keep_version_of_agent()`,
  `CREATE TRIGGER agent_keeps_next_version AFTER UPDATE ON "agent" FOR EACH ROW
    WHEN (OLD.version IS DISTINCT FROM NEW.version) EXECUTE FUNCTION keep_version_of_agent()`,
  // What has settled does not say which version it ran, and cannot change any more.
  `ALTER TABLE "execution" ADD "agent_version" integer`,
  `UPDATE "execution" e SET agent_version = agent.version FROM "agent"
      WHERE agent.id = e.agent_id AND e.status IN ('queued', 'running', 'requires_action')`,
];
