import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sums of settled executions by five minutes, and the index by which they are found once. */
export class ExecutionTally1764000000083 implements MigrationInterface {
  readonly name = 'ExecutionTally1764000000083';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE execution_tally (
        tenant_id text NOT NULL,
        bucket timestamptz NOT NULL,
        status text NOT NULL,
        error_code text NOT NULL,
        duration_bucket smallint NOT NULL,
        count integer NOT NULL,
        input_tokens bigint NOT NULL,
        output_tokens bigint NOT NULL,
        cost_usd numeric NOT NULL,
        unpriced integer NOT NULL,
        CONSTRAINT execution_tally_pkey PRIMARY KEY (tenant_id, bucket, status, error_code, duration_bucket)
      );
      CREATE INDEX execution_finished_idx ON execution (tenant_id, finished_at) WHERE finished_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX execution_finished_idx; DROP TABLE execution_tally');
  }
}
