import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A tenant's order requests in the order of their list, however many the others have. */
export class ListOrderRequests1764000000101 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create index ix_order_request_list on order_request (tenant_id, id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index ix_order_request_list');
  }
}
