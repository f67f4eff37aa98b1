import pg from 'pg';

/** Of each process: its queues and workers together, and a connection of every worker that waits for jobs. */
const CONNECTIONS = 10;
/** Where BullMQ's migrations put its tables. */
const SCHEMA = 'bullmq';

/**
 * The connections of all queues of a process. BullMQ would make its own, and listens for their errors only after they
 * stand: one that ends at that very moment, as when the server stops, would end the process.
 */
export function createQueuePool(connectionString: string): pg.Pool {
  return new pg.Pool({
    connectionString,
    max: CONNECTIONS,
    keepAlive: true,
    // What a crash of the database takes from the queue is sent again: nobody waits until its disk has it.
    options: `-c search_path=${SCHEMA} -c synchronous_commit=off`,
    Client: LastingClient,
  });
}

/** A client whose end is never an error that nobody listens for; whoever uses it hears of it from its queries. */
class LastingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
