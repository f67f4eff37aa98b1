// @ts-check
/**
 * Runs clients that each start the next request when the previous one has ended.
 * @template T
 * @param {object} load
 * @param {number} load.count requests altogether
 * @param {number} load.clients
 * @param {(index: number) => Promise<T>} load.request
 * @returns {Promise<number[]>} how long each took, in milliseconds
 */
export async function closedLoop({ count, clients, request }) {
  /** @type {number[]} */
  const times = [];
  let next = 0;
  const client = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      const begun = performance.now();
      await request(index);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return times;
}
