import type { EntityManager } from 'typeorm';

/** Runs one statement and answers its rows; TypeORM answers `[rows, count]` for an UPDATE or DELETE, rows else. */
export async function queryRows<Row>(
  manager: Pick<EntityManager, 'query'>,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const answer: unknown = await manager.query(sql, [...parameters]);
  if (isUpdateAnswer(answer)) return answer[0] as Row[];
  return answer as Row[];
}

function isUpdateAnswer(answer: unknown): answer is [unknown[], number] {
  return (
    Array.isArray(answer) && answer.length === 2 && Array.isArray(answer[0]) && typeof answer[1] === 'number'
  );
}
