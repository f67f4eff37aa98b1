import { STATE_GROUPS, type StateGroup } from './document-state.js';

export const DATASOURCE_TABS = ['documents', 'search'] as const;
export type DatasourceTab = (typeof DATASOURCE_TABS)[number];

const MAX_QUESTION = 8_000;
const MAX_HITS = 100;
export const DEFAULT_HITS = 5;

/** View, filter and question of a datasource, as its address holds them. Only what is set is there. */
export interface DatasourceView {
  readonly tab?: DatasourceTab;
  readonly state?: StateGroup;
  /** The question of the search. */
  readonly q?: string;
  /** Most passages of the search. */
  readonly top?: number;
  /** Least score of a passage. */
  readonly least?: number;
}

/** Takes the parts of an address that make sense. Pure. */
export function datasourceSearchOf(search: Readonly<Record<string, unknown>>): DatasourceView {
  const tab = DATASOURCE_TABS.find((each) => each === search['tab']);
  const state = STATE_GROUPS.find((each) => each === search['state']);
  const { q } = search;
  const [top, least] = [Number(search['top']), Number(search['least'])];
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(state === undefined ? {} : { state }),
    ...(typeof q === 'string' && q.trim() !== '' && q.length <= MAX_QUESTION ? { q } : {}),
    ...(Number.isInteger(top) && top >= 1 && top <= MAX_HITS ? { top } : {}),
    ...(least > 0 && least <= 1 ? { least } : {}),
  };
}

/** The chunk that is looked for in a document. */
export interface DocumentView {
  readonly chunk?: number;
}

/** Takes the parts of an address that make sense. Pure. */
export function documentSearchOf(search: Readonly<Record<string, unknown>>): DocumentView {
  const chunk = Number(search['chunk']);
  return Number.isInteger(chunk) && chunk > 0 ? { chunk } : {};
}
