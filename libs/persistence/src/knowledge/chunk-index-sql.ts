export const DATASOURCES_SQL = `
  SELECT id AS "datasourceId", llm_id AS "llmId", embed_model AS "embedModel", dimensions
    FROM datasource WHERE tenant_id = $1 AND id = ANY($2::int[])`;

/** Live generations of the datasources $2 with vectors of the space $3 to $5. */
export const LIVE_GENERATIONS_SQL = `
  SELECT document.id AS "documentId", live.generation, live.chunk_count AS "chunkCount"
    FROM document
    JOIN datasource ON datasource.id = document.datasource_id AND datasource.tenant_id = document.tenant_id
    JOIN document_ingestion live ON live.document_id = document.id AND live.generation = document.live_generation
   WHERE document.tenant_id = $1 AND document.datasource_id = ANY($2::int[]) AND datasource.llm_id = $3
     AND datasource.embed_model = $4 AND datasource.dimensions = $5`;

/** Vectors of parts of generations: $5 to $7 say which, $8 how many chunks a part has. */
export const VECTORS_SQL = `
  SELECT chunk.id::float8 AS "chunkId", part.place::int AS place, embedding.vector
    FROM unnest($5::uuid[], $6::int[], $7::int[]) WITH ORDINALITY AS part (document_id, generation, first, place)
    JOIN chunk ON chunk.document_id = part.document_id AND chunk.generation = part.generation
     AND chunk.ordinal >= part.first AND chunk.ordinal < part.first + $8::int
    JOIN embedding ON embedding.tenant_id = $1 AND embedding.llm_id = $2 AND embedding.model = $3
     AND embedding.dimensions = $4 AND embedding.content_hash = chunk.content_hash
   WHERE chunk.tenant_id = $1`;

export const READ_CHUNKS_SQL = `
  SELECT chunk.id::float8 AS "chunkId", chunk.datasource_id AS "datasourceId", chunk.document_id AS "documentId",
         document.title, chunk.headings, chunk.page, chunk.text, chunk.ordinal, chunk.repeated_chars AS "repeatedChars",
         live.warnings, chunk.content_hash AS "contentHash", embedding.vector
    FROM chunk
    JOIN document ON document.id = chunk.document_id AND document.live_generation = chunk.generation
    JOIN document_ingestion live ON live.document_id = chunk.document_id AND live.generation = chunk.generation
    JOIN datasource ON datasource.id = chunk.datasource_id
    JOIN embedding ON embedding.tenant_id = chunk.tenant_id AND embedding.llm_id = datasource.llm_id
     AND embedding.model = datasource.embed_model AND embedding.dimensions = datasource.dimensions
     AND embedding.content_hash = chunk.content_hash
   WHERE chunk.tenant_id = $1 AND chunk.id = ANY($2::bigint[])`;
