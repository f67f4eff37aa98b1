import * as domains from '#libs/domains';
import { modelProviders } from '#libs/model-providers';
import type { Domain } from '#libs/tooling';
import type { EntityManager } from 'typeorm';

/** Words that some folders must not contain, in code or comments: as whole words in this spelling, or `anywhere`. */
export interface ForbiddenWords {
  /** What names them, for the title of the test. */
  readonly what: string;
  readonly words: readonly string[];
  readonly folders: readonly string[];
  /** Also as a part of a longer word, and in any case. */
  readonly anywhere?: boolean;
}

/** What stands below and beside every domain. */
const CORE = ['kernel', 'config', 'payloads', 'policy', 'tooling', 'agent-core', 'executions'];
const WITHOUT_DOMAINS = [
  ...CORE.map((name) => `libs/${name}`),
  ...['apps/api', 'apps/worker', 'apps/migrate'],
  ...['scripts/bootstrap', 'scripts/local', 'scripts/postgres', 'scripts/quickstart'],
];

/** Of models and of servers for them: whoever stands above the providers asks their registry. */
const VENDORS = ['openai', 'gpt', 'anthropic', 'claude', 'gemini', 'mistral', 'vllm', 'ollama', 'litellm'];

/** One entry for each sort of part that the core must know by its interface only; add yours. */
export const FORBIDDEN_WORDS: readonly ForbiddenWords[] = [
  {
    what: 'a domain',
    words: Object.values(domains).flatMap(namesOf),
    folders: WITHOUT_DOMAINS,
  },
  {
    what: 'a model vendor',
    words: [...modelProviders.ids, ...VENDORS],
    folders: ['libs/agent-core', 'libs/executions', 'apps/api', 'apps/worker'],
    anywhere: true,
  },
];

/** Everything by which a domain can be called: its name in all spellings, and what it declares. */
function namesOf(domain: Domain<EntityManager>): string[] {
  const words = domain.name.split('-');
  const camel = words.map((word, index) => (index === 0 ? word : capital(word))).join('');
  const tools = domain.tools({ manager: {} as EntityManager });
  return [
    ...[domain.name, camel, capital(camel), words.join('_'), words.join(' ')],
    ...tools.flatMap((tool) => [tool.name, tool.label]),
    ...domain.entities.map((entity) => entity.name),
    ...Object.keys(domain.messageData.input),
    ...Object.keys(domain.messageData.stored),
    ...Object.keys(domain.stagedChanges),
    ...domain.agents.map((agent) => agent.name),
    ...domain.routes.flatMap(({ path, answer }) => [path.split('/')[0] ?? path, answer.name]),
  ];
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
