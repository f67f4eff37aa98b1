/** A PostgreSQL server of this machine, listening on 127.0.0.1. */
export interface EmbeddedPostgres {
  /** With user, password and the maintenance database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** Process id of the postmaster. */
  readonly pid: number;
  readonly dataDirectory: string;
  readonly logFile: string;
  /** True: it ran before and was joined; false: this call started it. */
  readonly wasRunning: boolean;
  stop(): Promise<void>;
}

/** Starts the server whose data lives in `home`, or joins the one that runs there; throws with the end of its log. */
export function startEmbeddedPostgres(options: {
  /** Folder for data, log and password; its parents must let the server's account in. */
  readonly home: string;
  /** The next free one is taken when it is in use. */
  readonly preferredPort: number;
  /** Server settings, e.g. `{fsync: 'off'}`. */
  readonly settings?: Readonly<Record<string, string | number>>;
}): Promise<EmbeddedPostgres>;

/** Stops the server whose data lives in `home`; does nothing when none runs there. */
export function stopEmbeddedPostgres(home: string): Promise<void>;
