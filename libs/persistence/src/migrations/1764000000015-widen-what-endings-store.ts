import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Token counts of any size, and answers that say when they were cut off. */
export class WidenWhatEndingsStore1764000000015 implements MigrationInterface {
  readonly name = 'WidenWhatEndingsStore1764000000015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(alterTokens('bigint'));
    await runner.query(`ALTER TABLE "chat_message" ADD "truncated" boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "chat_message" DROP "truncated"`);
    await runner.query(alterTokens('integer'));
  }
}

const TOKEN_COLUMNS = [
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'total_tokens',
];

/** In one statement, so that the table is written anew once. */
function alterTokens(type: 'bigint' | 'integer'): string {
  return `ALTER TABLE "usage_log" ${TOKEN_COLUMNS.map((column) => `ALTER "${column}" TYPE ${type}`).join(', ')}`;
}
