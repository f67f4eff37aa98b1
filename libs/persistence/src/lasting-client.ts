import pg from 'pg';

/**
 * A client whose end is never an error that nobody listens for. TypeORM listens only after the connection stands: one
 * that ends at that very moment, as when the server stops, would end the process.
 */
export class LastingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
