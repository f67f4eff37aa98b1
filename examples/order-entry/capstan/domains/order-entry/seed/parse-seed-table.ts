import type { z } from 'zod';

/**
 * Parses rows of `a | b | c`, one a line, and validates each row. Throws for an invalid row, and names it.
 */
export function parseSeedTable<Row>(table: string, rowSchema: z.ZodType<Row>): Row[] {
  const lines = table.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const row = rowSchema.safeParse(line.split('|').map((cell) => cell.trim()));
    if (row.success) return row.data;
    throw new Error(`this seed row is malformed: ${line}`);
  });
}
