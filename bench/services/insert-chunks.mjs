// @ts-check
import { createHash, randomUUID } from 'node:crypto';

const AT_ONCE = 1_000;
const WORDS = 20_000;
/** Words of a chunk of about 400 tokens. */
const WORDS_OF_A_CHUNK = 250;
/** Spread of a topic's vectors around its centre, relative to the spread of the centres. */
const SPREAD = 0.8;

/** @typedef {{query: (sql: string, values?: any[]) => Promise<any>}} Database */

/**
 * Inserts a datasource by SQL, and returns its id.
 * @param {Database} database
 * @param {{name: string, embedModel: string, dimensions: number}} fields
 * @returns {Promise<number>}
 */
export async function insertDatasource(database, { name, embedModel, dimensions }) {
  const { rows } = await database.query(
    `INSERT INTO datasource (tenant_id, name, llm_id, embed_model, dimensions, chunk_tokens, overlap_tokens)
     SELECT 'default', $1, min(id), $2, $3, 400, 40 FROM llm RETURNING id`,
    [name, embedModel, dimensions],
  );
  return rows[0].id;
}

/**
 * Inserts a live document with chunks into a datasource, without a worker.
 * @param {Database} database
 * @param {object} given
 * @param {number} given.datasourceId
 * @param {number} given.chunks
 * @param {() => Float32Array} given.draw the vector of the next chunk
 * @param {number} [given.words] of each chunk
 */
export async function insertChunks(database, { datasourceId, chunks, draw, words = WORDS_OF_A_CHUNK }) {
  const documentId = randomUUID();
  await database.query(
    `INSERT INTO document (id, tenant_id, datasource_id, title, live_generation) VALUES ($1, 'default', $2, 'Many', 1)`,
    [documentId, datasourceId],
  );
  await database.query(
    `INSERT INTO document_ingestion (id, tenant_id, document_id, generation, source, state, chunk_count, finished_at)
     VALUES (gen_random_uuid(), 'default', $1, 1, 'text', 'ready', $2, now())`,
    [documentId, chunks],
  );
  for (let first = 0; first < chunks; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, chunks - first);
    const texts = Array.from({ length: count }, () => drawText(words));
    await database.query(
      `WITH given AS (
         SELECT * FROM unnest($3::text[], $4::bytea[], $5::bytea[]) WITH ORDINALITY AS given (text, hash, vector, place)
       ), made AS (
         INSERT INTO chunk (tenant_id, datasource_id, document_id, generation, ordinal, text, headings, token_count,
                            content_hash, search)
         SELECT 'default', $2, $1, 1, $6 + place, text, '{}', 400, hash, to_tsvector('simple', text) FROM given
       )
       INSERT INTO embedding (tenant_id, llm_id, model, dimensions, content_hash, vector)
       SELECT 'default', llm_id, embed_model, dimensions, hash, vector FROM given, datasource WHERE id = $2`,
      [
        ...[documentId, datasourceId, texts],
        texts.map((text, at) =>
          createHash('sha256')
            .update(`${first + at} ${text}`)
            .digest(),
        ),
        texts.map(() => Buffer.from(Float16Array.from(draw()).buffer)),
        first - 1,
      ],
    );
  }
  await database.query('ANALYZE');
}

/** A unit vector of random direction. @param {number} dimensions */
export function drawVector(dimensions) {
  return unit(Float32Array.from({ length: dimensions }, around));
}

/**
 * Draws vectors in clusters, as those of texts: texts of one topic are more alike.
 * @param {{topics: number, dimensions: number}} of
 * @returns {() => Float32Array} of unit length
 */
export function drawOfTopics({ topics, dimensions }) {
  const centres = Array.from({ length: topics }, () => Float32Array.from({ length: dimensions }, around));
  return () => {
    const centre = centres[Math.floor(Math.random() * topics)] ?? new Float32Array(dimensions);
    return unit(centre.map((value) => value + SPREAD * around()));
  };
}

/** Approximately normally distributed around 0. */
function around() {
  return Math.random() + Math.random() + Math.random() - 1.5;
}

/** @param {Float32Array} vector */
function unit(vector) {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Words with uneven frequencies: few are in many chunks, most in few. */
function drawWord() {
  return `word${Math.floor(WORDS * Math.random() ** 2)}`;
}

/** @param {number} words */
export function drawText(words) {
  return Array.from({ length: words }, drawWord).join(' ');
}
