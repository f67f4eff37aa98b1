import type { Passage } from '#libs/tooling';

export function aPassage(overrides: Partial<Passage> = {}): Passage {
  return {
    datasource_id: 3,
    document_id: '01890a5d-ac96-774b-bcce-b302099a8057',
    chunk_id: 41,
    title: 'Handbook',
    page: null,
    text: 'Parcels go out at noon.',
    score: 0.812_345,
    rank: 1,
    ...overrides,
  };
}
