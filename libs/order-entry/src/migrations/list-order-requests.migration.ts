import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A tenant's order requests in the order of their list, however many the others have. */
export class ListOrderRequests1764000000101 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX ix_order_request_list ON order_request (tenant_id, id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX ix_order_request_list');
  }
}
