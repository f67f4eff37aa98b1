const MAX_PAGES = 50;

interface PageOf<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

/** Reads a list to its end, at most 50 pages. */
export async function readAllPages<Row>(
  readPage: (query: { limit: number; cursor?: string }) => Promise<PageOf<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { data, next_cursor }: PageOf<Row> = await readPage({
      limit: 100,
      ...(cursor === null ? {} : { cursor }),
    });
    rows.push(...data);
    cursor = next_cursor;
    if (cursor === null) break;
  }
  return rows;
}
