import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What attempts that lost their lease still saw of their calls can be kept. */
export class AddLateEvidence1764000000009 implements MigrationInterface {
  readonly name = 'AddLateEvidence1764000000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "late_evidence" (
      "execution_id" uuid NOT NULL,
      "round" integer NOT NULL,
      "position" integer NOT NULL,
      "epoch" integer NOT NULL,
      "tenant_id" text NOT NULL,
      "status" text NOT NULL,
      "output" text NOT NULL,
      "error" text,
      "observed_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "late_evidence_pkey" PRIMARY KEY ("execution_id", "round", "position", "epoch"),
      CONSTRAINT "FK_6e5ddd35cb742ed0da15003e904" FOREIGN KEY ("execution_id") REFERENCES "execution" ("id") ON DELETE CASCADE
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "late_evidence"`);
  }
}
