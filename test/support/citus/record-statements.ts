import pg from 'pg';

/** Statements that the driver has sent since the recording began, each once. */
export interface StatementRecord {
  readonly texts: ReadonlySet<string>;
  stop(): void;
}

interface Insides {
  readonly connectionParameters: { readonly application_name?: string };
}

/** Records every statement of this process, without those of connections by the names in `except`. */
export function recordStatements(except: readonly string[]): StatementRecord {
  const texts = new Set<string>();
  const driver = pg.Client.prototype as unknown as { query: (...call: unknown[]) => unknown };
  const { query } = driver;
  function recording(this: pg.Client, ...call: unknown[]): unknown {
    const { application_name: name = '' } = (this as unknown as Insides).connectionParameters;
    const text = textOf(call[0]);
    if (text !== null && !except.includes(name)) texts.add(text);
    return query.apply(this, call);
  }
  driver.query = recording;
  return {
    texts,
    stop: () => {
      driver.query = query;
    },
  };
}

/** A statement is a text, or an object with one; a cursor is neither. */
function textOf(given: unknown): string | null {
  if (typeof given === 'string') return given;
  if (typeof given !== 'object' || given === null || !('text' in given)) return null;
  return typeof given.text === 'string' ? given.text : null;
}
