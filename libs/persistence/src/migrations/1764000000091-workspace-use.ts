import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Index by which the bytes of all workspaces of a tenant are summed. */
export class WorkspaceUse1764000000091 implements MigrationInterface {
  readonly name = 'WorkspaceUse1764000000091';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX workspace_file_tenant_idx ON workspace_file (tenant_id, size_bytes)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX workspace_file_tenant_idx');
  }
}
