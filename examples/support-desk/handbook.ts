import { readdir, readFile } from 'node:fs/promises';
import type { Capstan } from 'capstan/client';

const NAME = 'handbook';
const DIMENSIONS = 1_024;

type Page = Pick<Awaited<ReturnType<Capstan['documents']['get']>>, 'id' | 'state'>;

/** Models by their names at the provider. */
export interface Models {
  readonly chatModel: string;
  readonly embedModel: string;
}

/** The pages of the handbook as they are searched. */
export interface Handbook {
  readonly datasourceId: number;
  /** Model configuration that asks for the vectors. */
  readonly llmId: number;
}

/**
 * Provides the datasource of these models, gives it every page of the folder that is new, changed or could not be read, and
 * waits until all can be found. Throws if one cannot be read.
 */
export async function provideHandbook(client: Capstan, folder: URL, models: Models): Promise<Handbook> {
  const handbook = (await findHandbook(client, models)) ?? (await createHandbook(client, models));
  await readPages(client, handbook.datasourceId, folder);
  return handbook;
}

const nameBy = ({ chatModel, embedModel }: Models): string => `${NAME}, ${chatModel} and ${embedModel}`;

async function findHandbook(client: Capstan, models: Models): Promise<Handbook | null> {
  for await (const { id, name, llm_id } of client.datasources.list())
    if (name === nameBy(models)) return { datasourceId: id, llmId: llm_id };
  return null;
}

async function createHandbook(client: Capstan, models: Models): Promise<Handbook> {
  const name = nameBy(models);
  const llm = await client.llms.create({ name, model: models.chatModel });
  const fields = { name, llm_id: llm.id, embed_model: models.embedModel, dimensions: DIMENSIONS };
  return { datasourceId: (await client.datasources.create(fields)).id, llmId: llm.id };
}

async function readPages(client: Capstan, datasourceId: number, folder: URL): Promise<void> {
  const known = new Map<string, Page>();
  for await (const page of client.documents.list({ datasource_id: datasourceId }))
    known.set(page.title, page);
  for (const title of (await readdir(folder)).filter((name) => name.endsWith('.md'))) {
    const text = await readFile(new URL(title, folder), 'utf8');
    const earlier = known.get(title);
    if (earlier !== undefined && (await isOf(client, earlier, text))) {
      if (earlier.state !== 'ready') await untilReady(client, earlier.id);
      continue;
    }
    if (earlier !== undefined) await client.documents.delete(earlier.id);
    const page = { datasource_id: datasourceId, title, text, media_type: 'text/markdown' } as const;
    await untilReady(client, (await client.documents.create(page)).id);
  }
}

/** Whether a page has this text, and was read or still may be. */
async function isOf(client: Capstan, { id, state }: Page, text: string): Promise<boolean> {
  return state !== 'failed' && (await (await client.documents.download(id)).text()) === text;
}

/** Waits until a page can be found. Throws if it cannot be read. */
async function untilReady(client: Capstan, id: string): Promise<void> {
  for await (const _event of client.documents.follow(id));
  const { title, state, error_text } = await client.documents.get(id);
  if (state !== 'ready') throw new Error(`${title}: ${error_text ?? state}`);
}
