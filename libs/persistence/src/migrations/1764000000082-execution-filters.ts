import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSchema } from '../read-schema.js';

/** Indexes of the filters of executions: by version, tool, error, cost, duration and the text of the input. */
export class ExecutionFilters1764000000082 implements MigrationInterface {
  readonly name = 'ExecutionFilters1764000000082';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX execution_agent_version_idx ON execution (tenant_id, agent_id, agent_version, id)
        WHERE status IN ('completed', 'incomplete', 'failed', 'cancelled');
      CREATE INDEX run_step_tool_idx ON run_step (tenant_id, tool_name, execution_id) WHERE status <> 'started'`);
    await runner.query(readSchema('special-indexes'));
  }

  /** The extension stays: others may use it. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX IF EXISTS execution_input_idx;
      DROP STATISTICS execution_error_stat, execution_cost_stat, execution_duration_stat;
      DROP INDEX execution_duration_idx;
      DROP INDEX execution_cost_idx;
      DROP INDEX execution_error_idx;
      DROP INDEX run_step_tool_idx;
      DROP INDEX execution_agent_version_idx`);
  }
}
