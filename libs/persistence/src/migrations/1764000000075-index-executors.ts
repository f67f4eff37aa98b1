import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The executions and sessions of an executor are listed by an index. Only executions that name an executor are in it. */
export class IndexExecutors1764000000075 implements MigrationInterface {
  readonly name = 'IndexExecutors1764000000075';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX "execution_executor_idx"
           ON "execution" ("tenant_id", ("request" #>> '{executor,user_id}'), "id")
        WHERE "request" #>> '{executor,user_id}' IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "execution_executor_idx"`);
  }
}
