import { toStorableJson, toStorableText, type JsonValue } from '#libs/kernel';
import type { Passage } from '#libs/tooling';
import { z } from 'zod';

const contextItemSchema = z.object({
  content: z.string(),
  title: z.string(),
  metadata: z.record(z.string(), z.unknown()),
});
const contextItemsSchema = z.array(contextItemSchema);
type ContextItem = z.infer<typeof contextItemSchema>;

/** One source of an answer in the clients' format (3.E-9); null for values that the context lacks. */
export type RetrieverResource = {
  readonly content: string;
  readonly position: JsonValue;
  readonly dataset_id: JsonValue;
  readonly dataset_name: JsonValue;
  readonly document_id: JsonValue;
  readonly document_name: JsonValue;
  readonly data_source_type: JsonValue;
  readonly segment_id: JsonValue;
  readonly retriever_from: JsonValue;
  readonly score: JsonValue;
  readonly hit_count: JsonValue;
  readonly word_count: JsonValue;
  readonly segment_position: JsonValue;
  readonly index_node_hash: JsonValue;
  readonly page: JsonValue;
  readonly doc_metadata: JsonValue;
};

/** The data of a `retriever_resources` event. */
export interface RetrieverResources {
  readonly retriever_resources: readonly RetrieverResource[];
  readonly context: '';
}

/**
 * The sources in a run's `context` (S1-55, 3.E-9), for its user; none of them goes into the prompt (S0-44). Null unless
 * the context is a list of sources, possibly empty. Any other JSON is stored with the request and shown nowhere else.
 */
export function toRetrieverResources(context: unknown): RetrieverResources | null {
  if (!Array.isArray(context)) return null;
  const parsed = contextItemsSchema.safeParse(context);
  if (!parsed.success) return null;
  return { retriever_resources: parsed.data.map(toResource), context: '' };
}

/** Appends the passages retrieved for a run to the sources of its context; null without any source. */
export function withPassages(
  given: RetrieverResources | null,
  passages: readonly Passage[],
): RetrieverResources | null {
  if (passages.length === 0) return given;
  const found = passages.map(ofPassage);
  return { retriever_resources: [...(given?.retriever_resources ?? []), ...found], context: '' };
}

function ofPassage(passage: Passage, index: number): RetrieverResource {
  const { text, datasource_id, document_id, title, chunk_id, score, page } = passage;
  return {
    content: text,
    position: index + 1,
    dataset_id: datasource_id,
    dataset_name: null,
    document_id,
    document_name: title,
    data_source_type: null,
    segment_id: chunk_id,
    retriever_from: 'knowledge',
    score,
    hit_count: null,
    word_count: null,
    segment_position: null,
    index_node_hash: null,
    page,
    doc_metadata: null,
  };
}

function toResource({ content, metadata }: ContextItem): RetrieverResource {
  const from = readFields(metadata);
  return {
    content: toStorableText(content),
    position: from('position'),
    dataset_id: from('dataset_id'),
    dataset_name: from('dataset_name'),
    document_id: from('document_id'),
    document_name: from('document_name'),
    data_source_type: from('document_data_source_type'),
    segment_id: from('segment_id'),
    retriever_from: from('retriever_from'),
    score: from('score'),
    hit_count: from('segment_hit_count'),
    word_count: from('segment_word_count'),
    segment_position: from('segment_position'),
    index_node_hash: from('segment_index_node_hash'),
    page: from('page'),
    doc_metadata: from('doc_metadata'),
  };
}

function readFields(metadata: ContextItem['metadata']): (field: string) => JsonValue {
  return (field) => (Object.hasOwn(metadata, field) ? toStorableJson(metadata[field]) : null);
}
