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
  const { query } = pg.Client.prototype;
  function recording(this: pg.Client, ...call: unknown[]): unknown {
    const { application_name: name = '' } = (this as unknown as Insides).connectionParameters;
    const text = textOf(call[0]);
    if (text !== null && !except.includes(name)) texts.add(text);
    return (query as (...call: unknown[]) => unknown).apply(this, call);
  }
  pg.Client.prototype.query = recording as typeof query;
  return {
    texts,
    stop: () => {
      pg.Client.prototype.query = query;
    },
  };
}

/** A statement is a text, or an object with one; a cursor is neither. */
function textOf(given: unknown): string | null {
  if (typeof given === 'string') return given;
  if (typeof given !== 'object' || given === null || !('text' in given)) return null;
  return typeof given.text === 'string' ? given.text : null;
}
