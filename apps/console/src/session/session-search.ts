export const SESSION_TABS = ['conversation', 'files'] as const;
export type SessionTab = (typeof SESSION_TABS)[number];

/** Place in a session, as its address holds it. */
export interface SessionSearch {
  /** The conversation without it. */
  readonly tab?: SessionTab;
  /** Number of the turn that the page opens at; the first one without it. */
  readonly turn?: number;
  /** Path of the file that is open. */
  readonly file?: string;
}

const MAX_PATH = 100;

/** Takes the parts of an address that make sense; a file is open in the tab of files only. Pure. */
export function sessionSearchOf(search: Readonly<Record<string, unknown>>): SessionSearch {
  const tab = SESSION_TABS.find((each) => each === search['tab']);
  const turn = Number(search['turn']);
  const { file } = search;
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(Number.isInteger(turn) && turn > 0 ? { turn } : {}),
    ...(tab === 'files' && typeof file === 'string' && file !== '' && file.length <= MAX_PATH
      ? { file }
      : {}),
  };
}
