import { createHash, randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';

const AT_ONCE = 500;

/** Pseudo-random numbers in [0, 1), the same sequence for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Approximately normal with mean 0, in [−1.5, 1.5). */
function around(random: () => number): number {
  return random() + random() + random() - 1.5;
}

/** Scales the vector to length 1 and rounds it to 16-bit floats. Pure. */
function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(Float16Array.from(vector, (value) => value / length));
}

/** Vectors distributed like those of texts: vectors of one topic are more similar than vectors of different topics. */
export class Topics {
  private readonly centres: readonly Float32Array[];

  constructor(
    private readonly random: () => number,
    topics: number,
    readonly dimensions: number,
  ) {
    this.centres = Array.from({ length: topics }, () =>
      Float32Array.from({ length: dimensions }, () => around(random)),
    );
  }

  /** Draws a vector of this topic, by default of a random one. */
  draw(topic = Math.floor(this.random() * this.centres.length)): Float32Array {
    const centre = this.centres[topic] ?? new Float32Array(this.dimensions);
    return unit(centre.map((value) => value + 0.8 * around(this.random)));
  }
}

/** Inserts a live document with one chunk for each vector; the chunks' texts all differ. */
export async function insertChunks(
  dataSource: Pick<DataSource, 'query'>,
  datasourceId: number,
  vectors: readonly Float32Array[],
  texts: readonly string[] = [],
): Promise<void> {
  const documentId = randomUUID();
  await dataSource.query(
    `WITH live AS (
       INSERT INTO document (id, tenant_id, datasource_id, title, live_generation)
       SELECT $1, tenant_id, id, 'Many', 1 FROM datasource WHERE id = $2 RETURNING id, tenant_id
     )
     INSERT INTO document_ingestion (id, tenant_id, document_id, generation, source, state, chunk_count)
     SELECT gen_random_uuid(), tenant_id, id, 1, 'text', 'ready', $3::int FROM live`,
    [documentId, datasourceId, vectors.length],
  );
  for (let first = 0; first < vectors.length; first += AT_ONCE) {
    const some = vectors.slice(first, first + AT_ONCE).map((vector, index) => {
      const text = `${documentId} ${first + index} ${texts[first + index] ?? ''}`;
      const hash = createHash('sha256').update(text).digest('hex');
      const halves = Buffer.from(Float16Array.from(vector).buffer).toString('hex');
      return { ordinal: first + index, text, hash, halves };
    });
    await dataSource.query(
      `WITH given AS (
         SELECT * FROM jsonb_to_recordset($3::jsonb) AS given (ordinal int, text text, hash text, halves text)
       ), made AS (
         INSERT INTO chunk (tenant_id, datasource_id, document_id, generation, ordinal, text, headings, token_count,
                            content_hash, search)
         SELECT datasource.tenant_id, datasource.id, $1::uuid, 1, ordinal, text, '{}', 3, decode(hash, 'hex'),
                to_tsvector('simple', text)
           FROM given, datasource WHERE datasource.id = $2
       )
       INSERT INTO embedding (tenant_id, llm_id, model, dimensions, content_hash, vector)
       SELECT tenant_id, llm_id, embed_model, dimensions, decode(hash, 'hex'), decode(halves, 'hex')
         FROM given, datasource WHERE datasource.id = $2`,
      [documentId, datasourceId, JSON.stringify(some)],
    );
  }
}
