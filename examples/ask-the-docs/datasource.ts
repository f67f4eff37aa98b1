import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { ApiClient } from '../../scripts/quickstart/api-client.ts';

const DIMENSIONS = 1_024;

const PAGE = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), next_cursor: z.string().nullable() });
const MADE = z.object({ id: z.int() });
const DATASOURCE = z.object({ id: z.int(), name: z.string(), llm_id: z.int(), embed_model: z.string() });
const DOCUMENT = z.object({
  id: z.string(),
  title: z.string(),
  state: z.string(),
  error_text: z.string().nullable(),
});
const CHUNK = z.object({ id: z.int(), headings: z.array(z.string()) });

/** A datasource, with the vectors of one model. */
export type Datasource = z.infer<typeof DATASOURCE>;
type Document = z.infer<typeof DOCUMENT>;

/** The datasource of this name and models, from an earlier run or newly created with its own model configuration. */
export async function provideDatasource(
  client: ApiClient,
  given: { readonly name: string; readonly chatModel: string; readonly embedModel: string },
): Promise<Datasource> {
  const { chatModel, embedModel } = given;
  const name = `${given.name}, ${chatModel} and ${embedModel}`;
  const known = (await listAll(client, '/api/datasources/', DATASOURCE)).find((made) => made.name === name);
  if (known !== undefined) return known;
  const llm = await client.post('/api/llms/', { name, model: chatModel }, MADE);
  const fields = { name, llm_id: llm.id, embed_model: embedModel, dimensions: DIMENSIONS };
  return client.post('/api/datasources/', fields, DATASOURCE);
}

/**
 * Uploads every Markdown document of a folder that is new or changed, and waits until all are searchable. Throws where
 * ingestion fails.
 */
export async function readDocuments(client: ApiClient, datasourceId: number, folder: URL): Promise<void> {
  const known = await documentsOf(client, datasourceId);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md'));
  for (const title of names) {
    const text = await readFile(new URL(title, folder), 'utf8');
    const given = known.find((document) => document.title === title);
    if (given !== undefined && (await textOf(client, given)) === text) continue;
    if (given !== undefined) await client.delete(`/api/documents/${given.id}/`);
    const fields = { datasource_id: datasourceId, title, text, media_type: 'text/markdown' };
    await client.post('/api/documents/', fields, DOCUMENT);
  }
  for (;;) {
    const documents = await documentsOf(client, datasourceId);
    const failed = documents.find(({ state }) => state === 'failed');
    if (failed !== undefined) throw new Error(`${failed.title}: ${failed.error_text}`);
    if (documents.every(({ state }) => state === 'ready')) return;
    await pause(250);
  }
}

/** The headings above a cited chunk, outermost first. */
export async function headingsOf(
  client: ApiClient,
  datasourceId: number,
  title: string,
  chunkId: number,
): Promise<readonly string[]> {
  const document = (await documentsOf(client, datasourceId)).find((known) => known.title === title);
  if (document === undefined) return [];
  const chunks = await listAll(client, `/api/documents/${document.id}/chunks/`, CHUNK);
  return chunks.find(({ id }) => id === chunkId)?.headings ?? [];
}

function documentsOf(client: ApiClient, datasourceId: number): Promise<readonly Document[]> {
  return listAll(client, `/api/documents/?datasource_id=${datasourceId}`, DOCUMENT);
}

async function textOf(client: ApiClient, { id }: Document): Promise<string> {
  return (await client.stream(`/api/documents/${id}/content/`, {})).text();
}

/** All rows of a list, page by page. */
async function listAll<Item extends z.ZodType>(
  client: ApiClient,
  path: string,
  item: Item,
): Promise<readonly z.infer<Item>[]> {
  const found: z.infer<Item>[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
    const page: { data: z.infer<Item>[]; next_cursor: string | null } = await client.get(
      `${path}${query}`,
      PAGE(item),
    );
    found.push(...page.data);
    cursor = page.next_cursor;
  }
  return found;
}
