/** Place in a session, as its address holds it. */
export interface SessionSearch {
  /** Number of the turn that the page opens at; the first one without it. */
  readonly turn?: number;
}

/** Takes the parts of an address that make sense. Pure. */
export function sessionSearchOf(search: Readonly<Record<string, unknown>>): SessionSearch {
  const turn = Number(search['turn']);
  return Number.isInteger(turn) && turn > 0 ? { turn } : {};
}
