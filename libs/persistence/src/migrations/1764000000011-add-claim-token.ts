import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an attempt writes is fenced by a random token of its claim: a counter like the epoch can recur when the database
 * loses its tail. Attempts that run while this is applied have none: they are overtaken and begin anew.
 */
export class AddClaimToken1764000000011 implements MigrationInterface {
  readonly name = 'AddClaimToken1764000000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "execution" ADD "claim_token" uuid`);
    await runner.query(
      `ALTER TABLE "late_evidence" ADD "claim_token" uuid NOT NULL DEFAULT gen_random_uuid()`,
    );
    await runner.query(`ALTER TABLE "late_evidence" ALTER "claim_token" DROP DEFAULT`);
    await runner.query(`ALTER TABLE "late_evidence" DROP CONSTRAINT "late_evidence_pkey"`);
    await runner.query(
      `ALTER TABLE "late_evidence" ADD CONSTRAINT "late_evidence_pkey" PRIMARY KEY ("execution_id", "round", "position", "claim_token")`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM "late_evidence" old USING "late_evidence" other
      WHERE (old.execution_id, old.round, old.position, old.epoch) = (other.execution_id, other.round, other.position, other.epoch)
        AND old.claim_token < other.claim_token`);
    await runner.query(`ALTER TABLE "late_evidence" DROP CONSTRAINT "late_evidence_pkey"`);
    await runner.query(
      `ALTER TABLE "late_evidence" ADD CONSTRAINT "late_evidence_pkey" PRIMARY KEY ("execution_id", "round", "position", "epoch")`,
    );
    await runner.query(`ALTER TABLE "late_evidence" DROP "claim_token"`);
    await runner.query(`ALTER TABLE "execution" DROP "claim_token"`);
  }
}
