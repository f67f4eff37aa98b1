import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

/** Connections share one session of the database: a transaction of one waits for that of another. */
const CONNECTIONS = 4;

// PostgreSQL with pgvector, in memory, for whoever started this; writes its URL, and ends when its input does.
const db = await PGlite.create({ extensions: { vector } });
await db.exec('CREATE EXTENSION vector');
const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: CONNECTIONS });
server.addEventListener('listening', (event) => {
  process.stdout.write(`postgres://postgres@127.0.0.1:${event.detail.port}/postgres\n`);
});
await server.start();
process.stdin.on('end', () => process.exit(0)).resume();
