import type { ExpectedVersions, Versioned } from './versioned.js';

/** Columns of every row that is shown with its version. */
export interface VersionedRow {
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A view as its row has it: its times as dates, and its version. */
export type RowOf<View> = Omit<View, 'created_at' | 'updated_at'> & VersionedRow;

type WithIsoTimes<Row> = Omit<Row, 'created_at' | 'updated_at'> & {
  readonly created_at: string;
  readonly updated_at: string;
};

/** Times of a row as the API shows them. */
export function withIsoTimes<Row extends Pick<VersionedRow, 'created_at' | 'updated_at'>>({
  created_at,
  updated_at,
  ...same
}: Row): WithIsoTimes<Row> {
  return { ...same, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

export function toVersioned<View>({ version, ...row }: RowOf<View>): Versioned<View> {
  return { view: withIsoTimes(row) as View, version };
}

/** The outcome of a deletion, by the row that it answers if there was one to delete. */
export function readDeletion(
  row: { readonly is_deleted: boolean } | undefined,
  expected: ExpectedVersions,
): 'deleted' | 'not_found' | 'other_version' {
  if (row === undefined) return 'not_found';
  return row.is_deleted ? 'deleted' : missed(expected);
}

function missed(expected: ExpectedVersions): 'not_found' | 'other_version' {
  return expected === null ? 'not_found' : 'other_version';
}
