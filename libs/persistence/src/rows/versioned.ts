/** A row as it is shown, with the number of its last change: 1 when it is made, one more with every change. */
export interface Versioned<View> {
  readonly view: View;
  readonly version: number;
}

/** A change happens only if the row has one of these versions; null if any will do. */
export type ExpectedVersions = readonly number[] | null;

/** The outcome of a change that names the versions it expects. */
export type VersionedChange<View> =
  | ({ readonly kind: 'changed' } & Versioned<View>)
  | { readonly kind: 'not_found' }
  /** It is there, in another version than those expected. */
  | { readonly kind: 'other_version' };
