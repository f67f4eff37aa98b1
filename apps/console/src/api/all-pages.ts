/** One page of a list of the service. */
export interface PageOf<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

/** Reads a list to its end, but at most so many pages of 100 rows. */
export async function readAllPages<Row>(
  readPage: (query: { limit: number; cursor?: string }) => Promise<PageOf<Row>>,
  maxPages = 50,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
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
