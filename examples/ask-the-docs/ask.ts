// Asks a question about the guides of this repository, and shows the sources of the answer.
//   npm run example -- ask-the-docs "How is the signature of a webhook checked?" [--folder PATH]
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Capstan, CapstanError } from 'capstan/client';
import { askAgent, provideAgent } from './agent.ts';
import { headingsOf, provideDatasource, readDocuments } from './datasource.ts';

process.on('uncaughtException', (error) => {
  console.error(error instanceof CapstanError ? error.message : error);
  process.exit(1);
});

const {
  // Models of the simulator; with an API key use, for example, gpt-5-mini and text-embedding-3-small.
  CHAT_MODEL = 'sim-echo',
  EMBED_MODEL = 'sim-words',
  // Minimum score of a passage that the agent reads.
  SCORE_THRESHOLD = '0.3',
} = process.env;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string' } },
});
const question = positionals[0] ?? 'How is the signature of a webhook checked?';
// In a copy of this folder the guides are those of the installed package.
const guides = ['../../docs/guides/', 'node_modules/capstan/dist/docs/guides/']
  .map((path) => new URL(path, import.meta.url))
  .find((path) => existsSync(path));
const folder =
  values.folder === undefined ? guides : new URL(`${pathToFileURL(resolve(values.folder)).href}/`);
if (folder === undefined || !existsSync(folder)) {
  console.error(`There is no folder ${values.folder ?? 'of guides here'}: name one by --folder PATH.`);
  process.exit(1);
}

// By CAPSTAN_BASE_URL and CAPSTAN_API_KEY.
const client = new Capstan();
const models = { chatModel: CHAT_MODEL, embedModel: EMBED_MODEL };
// Documents of another folder have a datasource of their own.
const name =
  values.folder === undefined
    ? 'guides of this repository'
    : `documents of ${basename(resolve(values.folder))}`;
const datasource = await provideDatasource(client, { name, ...models });
await readDocuments(client, datasource.id, folder);
const agent = await provideAgent(client, datasource);
const asked = { question, scoreThreshold: Number(SCORE_THRESHOLD) };
const { answer, citations } = await askAgent(client, agent, asked);

console.log(`${answer}\n`);
if (citations.length === 0)
  console.log('Sources: none. Nothing in the documents is near enough to the question.');
else console.log('Sources:');
for (const { rank, score, title, chunk_id } of citations) {
  const headings = await headingsOf(client, datasource.id, title, chunk_id);
  console.log(`  [${rank}] ${[title, ...headings].join(' > ')} (${score})`);
}
