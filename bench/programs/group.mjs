// @ts-check
/**
 * Group commit: items that arrive during a batch go into the next batch.
 * @template In, Out
 * @param {(items: In[]) => Promise<Out[]>} runBatch answers for each item, in order
 * @param {number} most items of one batch
 * @returns {(item: In) => Promise<Out>}
 */
export function group(runBatch, most) {
  /** @type {{item: In, resolve: (answer: Out) => void, reject: (error: unknown) => void}[]} */
  const waiting = [];
  let isBusy = false;

  const run = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most);
      try {
        const answers = await runBatch(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(/** @type {Out} */ (answers[index]));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isBusy = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isBusy) return;
      isBusy = true;
      // Items of the same packet share the first batch.
      setImmediate(() => void run());
    });
}
