import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workers show that they live by a lock that the database drops when they die. They serve every tenant. */
export class AddWorkerPresence1764000000007 implements MigrationInterface {
  readonly name = 'AddWorkerPresence1764000000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "worker" (
      "lock_number" integer GENERATED ALWAYS AS IDENTITY NOT NULL,
      "id" text NOT NULL,
      "started_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "UQ_WORKER_ID" UNIQUE ("id"),
      CONSTRAINT "worker_pkey" PRIMARY KEY ("lock_number")
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "worker"`);
  }
}
