/** The items of batches, one after the other; the next batch is asked for when they are used up. */
export async function* oneByOne<Item>(
  batches: AsyncIterable<readonly Item[]>,
): AsyncGenerator<Item, void, undefined> {
  for await (const items of batches) yield* items;
}
