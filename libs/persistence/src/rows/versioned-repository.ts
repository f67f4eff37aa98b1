import {
  In,
  type FindOptionsWhere,
  type ObjectLiteral,
  type QueryDeepPartialEntity,
  type Repository,
} from 'typeorm';
import type { VersionedRow } from '../entities/versioned-row.js';
import { toEntity } from './to-entity.js';
import type { ExpectedVersions, Versioned, VersionedChange } from './versioned.js';

/** Result of a change of one row; `other_version`: the row has none of the expected versions. */
export type EntityChange<Entity> =
  | { readonly kind: 'changed'; readonly entity: Entity }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'other_version' };

/** Values of columns by the names of their properties. */
export type ValuesOf<Entity> = { readonly [Name in keyof Entity]?: Entity[Name] | undefined };

/** Values of columns, or functions that answer their SQL. */
export type ChangesOf<Entity> = {
  readonly [Name in keyof Entity]?: Entity[Name] | (() => string) | undefined;
};

/**
 * Changes one row and counts its version up. Values that are undefined stay as they are in the table, also where another
 * request changes them at the same time: it is one statement.
 */
export async function changeVersioned<Entity extends VersionedRow>(
  repository: Repository<Entity>,
  where: FindOptionsWhere<Entity>,
  values: ValuesOf<Entity>,
  expected: ExpectedVersions,
): Promise<EntityChange<Entity>> {
  const next: ChangesOf<VersionedRow> = { ...values, version: () => 'version + 1' };
  const entity = await changeRow(repository, withVersion(where, expected), next as ChangesOf<Entity>);
  if (entity !== null) return { kind: 'changed', entity };
  return { kind: await missed(repository, where, expected) };
}

/**
 * Changes one row in one statement; null if there is none. Values that are undefined stay.
 *
 * @param condition more than `where` says, in SQL
 */
export async function changeRow<Entity extends ObjectLiteral>(
  repository: Repository<Entity>,
  where: FindOptionsWhere<Entity>,
  values: ChangesOf<Entity>,
  condition = 'true',
): Promise<Entity | null> {
  const update = repository.createQueryBuilder().update().set(definedOf(values));
  update.where(where).andWhere(condition);
  const [row] = (await update.returning('*').execute()).raw as ObjectLiteral[];
  return row === undefined ? null : toEntity(repository, row);
}

/** Deletes one row; throws the database's error where another row refers to it. */
export async function deleteVersioned<Entity extends VersionedRow>(
  repository: Repository<Entity>,
  where: FindOptionsWhere<Entity>,
  expected: ExpectedVersions,
): Promise<'deleted' | 'not_found' | 'other_version'> {
  const { affected } = await repository.delete(withVersion(where, expected));
  return affected === 0 ? missed(repository, where, expected) : 'deleted';
}

/** Inserts one row; null if the unique key is taken. */
export async function insertUnlessTaken<Entity extends ObjectLiteral>(
  repository: Repository<Entity>,
  values: ValuesOf<Entity>,
): Promise<Entity | null> {
  const inserted = await repository
    .createQueryBuilder()
    .insert()
    .values(definedOf(values))
    .orIgnore()
    .returning('*')
    .execute();
  const [row] = inserted.raw as ObjectLiteral[];
  return row === undefined ? null : toEntity(repository, row);
}

/** Inserts one row, which no unique key forbids. */
export async function insertRow<Entity extends ObjectLiteral>(
  repository: Repository<Entity>,
  values: ValuesOf<Entity>,
): Promise<Entity> {
  const inserted = await insertUnlessTaken(repository, values);
  if (inserted === null) throw new Error('an inserted row was not answered');
  return inserted;
}

/** The view of an entity with the version of its row. */
export function versionedView<Entity extends VersionedRow, View>(
  entity: Entity,
  toView: (entity: Entity) => View,
): Versioned<View> {
  return { view: toView(entity), version: entity.version };
}

/** A change with the view of what was changed. */
export function changedView<Entity extends VersionedRow, View>(
  change: EntityChange<Entity>,
  toView: (entity: Entity) => View,
): VersionedChange<View> {
  return change.kind === 'changed' ? { kind: 'changed', ...versionedView(change.entity, toView) } : change;
}

function definedOf<Entity>(values: ChangesOf<Entity>): QueryDeepPartialEntity<Entity> {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as QueryDeepPartialEntity<Entity>;
}

function withVersion<Entity extends VersionedRow>(
  where: FindOptionsWhere<Entity>,
  expected: ExpectedVersions,
): FindOptionsWhere<Entity> {
  return expected === null ? where : { ...where, version: In([...expected]) };
}

async function missed<Entity extends VersionedRow>(
  repository: Repository<Entity>,
  where: FindOptionsWhere<Entity>,
  expected: ExpectedVersions,
): Promise<'not_found' | 'other_version'> {
  return expected !== null && (await repository.existsBy(where)) ? 'other_version' : 'not_found';
}
