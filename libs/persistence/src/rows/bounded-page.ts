import type { DataSource, ObjectLiteral, Repository, SelectQueryBuilder } from 'typeorm';
import { queryRows } from '../sql.js';
import { toEntity } from './to-entity.js';

/** Limit of the rows of a page, in bytes. Rows can be long, and a client has to hold them. */
export const MAX_PAGE_BYTES = 990_000;

/** The next rows of a list, and whether there are more after them. */
export interface RowsOfPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

export interface PageQuery {
  /** A SELECT without ORDER BY and LIMIT, with these parameters. */
  readonly select: string;
  readonly parameters: readonly unknown[];
  /** Columns of the answer. */
  readonly orderBy: string;
  readonly limit: number;
}

/**
 * At most `limit` rows, and none after those that fill {@link MAX_PAGE_BYTES} as PostgreSQL writes them: the database
 * counts, so that no more than about one page and one row are ever sent.
 */
export async function readPage<Row extends object>(
  dataSource: DataSource,
  { select, parameters, orderBy, limit }: PageQuery,
): Promise<RowsOfPage<Row>> {
  const place = parameters.length + 1;
  const counted = await queryRows<Row & { page_found: number }>(
    dataSource,
    `SELECT * FROM (
       SELECT page.*, (count(*) OVER ())::int AS page_found, row_number() OVER place AS page_place,
              coalesce(sum(octet_length(page::text)) OVER (place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
                AS page_bytes_before
         FROM (${select} ORDER BY ${orderBy} LIMIT $${place}::int + 1) page
       WINDOW place AS (ORDER BY ${orderBy})
     ) placed
      WHERE page_place <= $${place}::int AND page_bytes_before < ${MAX_PAGE_BYTES} ORDER BY page_place`,
    [...parameters, limit],
  );
  return { rows: counted.map(withoutCounts), hasMore: (counted[0]?.page_found ?? 0) > counted.length };
}

/** The page of a query without order and limit, as entities. */
export function readEntityPage<Entity extends ObjectLiteral>(
  repository: Repository<Entity>,
  query: SelectQueryBuilder<Entity>,
  page: EntityPage,
): Promise<RowsOfPage<Entity>> {
  return readEntities(repository, entityPageQuery(repository, query, page));
}

interface EntityPage {
  /** Columns of the table, with the direction. */
  readonly orderBy: string;
  readonly limit: number;
  /** SQL in the place of properties. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** The same as a statement. The query builder has the alias that it was made with. */
export function entityPageQuery<Entity extends ObjectLiteral>(
  { metadata }: Repository<Entity>,
  query: SelectQueryBuilder<Entity>,
  { instead = {}, ...page }: EntityPage,
): PageQuery {
  const rows = query.select([]);
  for (const { propertyPath, databaseName } of metadata.columns)
    rows.addSelect(instead[propertyPath] ?? `${query.alias}.${propertyPath}`, databaseName);
  const [select, parameters] = rows.getQueryAndParameters();
  return { select, parameters, ...page };
}

/** Reads what {@link entityPageQuery} has put together. */
export async function readEntities<Entity extends ObjectLiteral>(
  repository: Repository<Entity>,
  page: PageQuery,
): Promise<RowsOfPage<Entity>> {
  const found = await readPage<ObjectLiteral>(repository.manager.dataSource, page);
  return mapRows(found, (row) => toEntity(repository, row));
}

function withoutCounts<Row extends object>(row: Row): Row {
  const counts = new Set(['page_found', 'page_place', 'page_bytes_before']);
  return Object.fromEntries(Object.entries(row).filter(([column]) => !counts.has(column))) as Row;
}

export function mapRows<Row, View>(
  { rows, hasMore }: RowsOfPage<Row>,
  toView: (row: Row) => View,
): RowsOfPage<View> {
  return { rows: rows.map(toView), hasMore };
}
