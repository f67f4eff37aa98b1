import type { ObjectLiteral, Repository } from 'typeorm';

/** The entity of a row with the column names of the table. */
export function toEntity<Entity extends ObjectLiteral>(
  repository: Repository<Entity>,
  row: ObjectLiteral,
): Entity {
  const entity = repository.create();
  for (const column of repository.metadata.columns) column.setEntityValue(entity, row[column.databaseName]);
  return entity;
}
