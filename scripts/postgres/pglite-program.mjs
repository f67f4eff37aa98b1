import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

/** Maximum connections. They share one session of the database, so transactions wait for each other. */
const CONNECTIONS = 4;

// Serves an in-memory PostgreSQL with pgvector to the parent process; prints its URL, and exits when stdin ends.
const db = await PGlite.create({ extensions: { vector } });
await db.exec('CREATE EXTENSION vector');
const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: CONNECTIONS });
server.addEventListener('listening', (event) => {
  process.stdout.write(`postgres://postgres@127.0.0.1:${event.detail.port}/postgres\n`);
});
await server.start();
process.stdin.on('end', () => process.exit(0)).resume();
