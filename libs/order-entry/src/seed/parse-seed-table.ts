import { AppError } from '#libs/kernel';
import type { z } from 'zod';

/**
 * Parses rows of `a | b | c`, one a line, and validates each row. An invalid row is a mistake in this repository:
 * `SEED_ROW_INVALID` names it.
 */
export function parseSeedTable<Row>(table: string, rowSchema: z.ZodType<Row>): Row[] {
  const lines = table.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const row = rowSchema.safeParse(line.split('|').map((cell) => cell.trim()));
    if (row.success) return row.data;
    throw new AppError({
      code: 'SEED_ROW_INVALID',
      kind: 'internal',
      message: `this seed row is malformed: ${line}`,
    });
  });
}
