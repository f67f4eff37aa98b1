import { readdir, readFile } from 'node:fs/promises';
import type { Capstan } from 'capstan/client';

const DIMENSIONS = 1_024;

/** A datasource, with the vectors of one model. */
export interface Datasource {
  readonly id: number;
  readonly name: string;
  /** Model configuration that asks for the vectors. */
  readonly llm_id: number;
}

/** The datasource of this name and models, from an earlier run or newly created with its own model configuration. */
export async function provideDatasource(
  client: Capstan,
  given: { readonly name: string; readonly chatModel: string; readonly embedModel: string },
): Promise<Datasource> {
  const { chatModel, embedModel } = given;
  const name = `${given.name}, ${chatModel} and ${embedModel}`;
  for await (const known of client.datasources.list()) if (known.name === name) return known;
  const llm = await client.llms.create({ name, model: chatModel });
  const fields = { name, llm_id: llm.id, embed_model: embedModel, dimensions: DIMENSIONS };
  return client.datasources.create(fields);
}

/**
 * Gives the datasource every Markdown document of a folder that is new, changed or could not be read, and waits until all
 * documents of the folder are searchable, also those of an earlier run. Throws where one cannot be read.
 */
export async function readDocuments(client: Capstan, datasourceId: number, folder: URL): Promise<void> {
  const known = await documentsOf(client, datasourceId);
  const awaited: string[] = [];
  for (const title of (await readdir(folder)).filter((name) => name.endsWith('.md'))) {
    const text = await readFile(new URL(title, folder), 'utf8');
    const earlier = known.get(title);
    if (earlier !== undefined && (await isOf(client, earlier, text))) {
      if (earlier.state !== 'ready') awaited.push(earlier.id);
      continue;
    }
    if (earlier !== undefined) await client.documents.delete(earlier.id);
    const fields = { datasource_id: datasourceId, title, text, media_type: 'text/markdown' } as const;
    awaited.push((await client.documents.create(fields)).id);
  }
  for (const id of awaited) {
    for await (const _event of client.documents.follow(id));
    const { title, state, error_text } = await client.documents.get(id);
    if (state !== 'ready') throw new Error(`${title}: ${error_text ?? state}`);
  }
}

/** The headings above a cited chunk, outermost first. */
export async function headingsOf(
  client: Capstan,
  datasourceId: number,
  title: string,
  chunkId: number,
): Promise<readonly string[]> {
  const document = (await documentsOf(client, datasourceId)).get(title);
  if (document === undefined) return [];
  for await (const { id, headings } of client.documents.listChunks(document.id))
    if (id === chunkId) return headings;
  return [];
}

type Document = Awaited<ReturnType<Capstan['documents']['get']>>;
type KnownDocument = Pick<Document, 'id' | 'state'>;

/** The documents by their titles. */
async function documentsOf(
  client: Capstan,
  datasourceId: number,
): Promise<ReadonlyMap<string, KnownDocument>> {
  const documents = new Map<string, KnownDocument>();
  for await (const document of client.documents.list({ datasource_id: datasourceId }))
    documents.set(document.title, document);
  return documents;
}

/** Whether a document has this text, and was read or still may be. */
async function isOf(client: Capstan, { id, state }: KnownDocument, text: string): Promise<boolean> {
  return state !== 'failed' && (await (await client.documents.download(id)).text()) === text;
}
