// @ts-check
// The floor's API: accepts runs with group commit, hands each to the worker over one connection, and answers when the
// worker has settled it. It knows no tenants, limits or events.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import pg from 'pg';
import { group } from '../../programs/group.mjs';
import { serveRuns } from '../programs/serve-runs.mjs';
import { ACCEPT, CREATE_TABLES, READ_OUTPUT } from './floor-sql.mjs';
import { linesOf } from './lines.mjs';

const MAX_TOGETHER = 64;
const connectionString = process.env.DATABASE_URL;
const durable = new pg.Pool({ connectionString, max: 4 });
/** For requests that are answered at the end: the settlement's flush includes their acceptance. */
const forgetful = new pg.Pool({ connectionString, max: 4, options: '-c synchronous_commit=off' });
await durable.query(CREATE_TABLES);

/** @type {Map<string, {promise: Promise<string>, resolve: (output: string) => void}>} */
const ends = new Map();
/** Runs of keys, until their output is read. @type {Map<string, string>} */
const idsOfKeys = new Map();
let sendToWorker = (/** @type {object} */ _run) => {};

createServer((socket) => {
  sendToWorker = linesOf(socket, ({ id, output }) => ends.get(id)?.resolve(output));
  // Without a worker nothing is lost: it takes over what it finds after the lease.
  socket.on('error', () => {});
}).listen(Number(process.env.WORKER_PORT), '127.0.0.1');

/** @param {pg.Pool} pool @returns {(run: {key: string, input: string}) => Promise<string>} */
const acceptTogether = (pool) =>
  group(async (asked) => {
    const runs = asked.map((run) => ({
      ...run,
      id: randomUUID(),
      session_id: randomUUID(),
      token: randomUUID(),
    }));
    const { rows } = await pool.query({ ...ACCEPT, values: [JSON.stringify(runs)] });
    const found = new Map(rows.map((row) => [row.asked, row]));
    return runs.map((run) => {
      const { id, is_new: isNew } = found.get(run.id);
      if (isNew) begin(run);
      return id;
    });
  }, MAX_TOGETHER);
const acceptDurably = acceptTogether(durable);
const acceptForEnd = acceptTogether(forgetful);

/** @param {{id: string, token: string, input: string}} run */
function begin({ id, token, input }) {
  ends.set(id, Promise.withResolvers());
  sendToWorker({ id, token, input });
}

serveRuns({
  begin: async (key, input, isWaiting) => {
    idsOfKeys.set(key, await (isWaiting ? acceptForEnd : acceptDurably)({ key, input }));
  },
  untilEnded: async (key) => {
    const id = idsOfKeys.get(key) ?? '';
    idsOfKeys.delete(key);
    const end = ends.get(id);
    if (end === undefined) return (await durable.query({ ...READ_OUTPUT, values: [id] })).rows[0]?.output;
    const output = await end.promise;
    ends.delete(id);
    return output;
  },
});
