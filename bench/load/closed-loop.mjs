// @ts-check
/**
 * Runs clients that each start the next request when the previous one has ended.
 * @param {object} load
 * @param {number} [load.count] requests altogether; without limit when left out
 * @param {number} [load.seconds] time in which requests begin; without limit when left out
 * @param {number} load.clients
 * @param {(index: number) => Promise<unknown>} load.request
 * @returns {Promise<number[]>} how long each took, in milliseconds
 */
export async function closedLoop({ count = Infinity, seconds = Infinity, clients, request }) {
  /** @type {number[]} */
  const times = [];
  const until = performance.now() + seconds * 1_000;
  let next = 0;
  const client = async () => {
    while (next < count && performance.now() < until) {
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
