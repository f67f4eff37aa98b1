import type { Domain } from '#libs/kit';
import { modelProviders } from '#libs/model-providers';
import { orderEntry } from '../../examples/order-entry/capstan/domains/order-entry/index.ts';
import { supportDesk } from '../../examples/support-desk/capstan/domains/support-desk/index.ts';
import * as simulatedDomains from '../../apps/simulator/src/domains.js';

/** Words that some folders must not contain, in code or comments: as whole words in this spelling, or `anywhere`. */
export interface ForbiddenWords {
  /** Name of this group of words in the test's title. */
  readonly what: string;
  readonly words: readonly string[];
  readonly folders: readonly string[];
  /** Also as a part of a longer word, and in any case. */
  readonly anywhere?: boolean;
  /** In any case, as whole words. */
  readonly anyCase?: boolean;
  /** Texts that may contain the words. */
  readonly except?: readonly string[];
  /** Paths of files that may contain the words. */
  readonly skips?: RegExp;
}

const DOMAINS: readonly Domain[] = [orderEntry, supportDesk];

/** Libraries that every domain depends on, or that exist beside the domains. */
const CORE = [
  'kernel',
  'concurrency',
  'config',
  'payloads',
  'policy',
  'tooling',
  'agent-core',
  'executions',
  'knowledge',
];
const WITHOUT_DOMAINS = [
  ...CORE.map((name) => `libs/${name}`),
  ...['apps/api', 'apps/worker', 'apps/migrate'],
  ...['scripts/bootstrap', 'scripts/local', 'scripts/postgres', 'scripts/quickstart'],
];

/** Vendors of models and of model servers: code above the providers uses the providers' registry instead. */
const VENDORS = ['openai', 'gpt', 'anthropic', 'claude', 'gemini', 'mistral', 'vllm', 'ollama', 'litellm'];

/**
 * Everyday words that stood for several things at once: emit, report, notify, inform or ask say which one is meant; so do
 * release, requeue or return in place of giving back.
 */
const RIDDLES = [
  ...[
    'tell',
    'tells',
    'telling',
    'told',
    'untold',
    'poke',
    'pokes',
    'poked',
    'knock',
    'knocks',
    'behold',
    'befall',
  ],
  ...[
    'befalls',
    'testify',
    'testifies',
    'witness',
    'witnesses',
    'untake',
    'leaveToOthers',
    'chore',
    'chores',
  ],
  ...[
    'hand back',
    'hands back',
    'handed back',
    'hand-back',
    'give back',
    'gives back',
    'given back',
    'gave back',
  ],
  ...[
    'lets go of',
    'let go of',
    'without a word',
    'in its hands',
    'in their hands',
    'narrator',
    'narrate',
    'narrates',
  ],
];

/** One entry for each sort of part that the core must know by its interface only; add yours. */
export const FORBIDDEN_WORDS: readonly ForbiddenWords[] = [
  {
    what: 'the name of a domain',
    words: DOMAINS.flatMap(namesOf),
    folders: WITHOUT_DOMAINS,
  },
  {
    what: 'the name of a domain that a simulated model plays',
    words: [...DOMAINS.flatMap(namesOf), ...Object.values(simulatedDomains).map(({ card }) => card.id)],
    folders: ['apps/simulator'],
    skips: /^apps\/simulator\/src\/domains(\/|\.ts$)/,
  },
  {
    what: 'the name of a model vendor',
    words: [...modelProviders.ids, ...VENDORS],
    folders: ['libs/agent-core', 'libs/executions', 'apps/api', 'apps/worker'],
    anywhere: true,
  },
  {
    what: 'a word that means too much',
    words: RIDDLES,
    folders: [
      ...['apps', 'libs', 'scripts', 'bench', 'examples', 'docs', 'test/contract', 'test/crash', 'test/e2e'],
      ...['test/fixtures', 'test/integration', 'test/mutations', 'test/support'],
    ],
    anyCase: true,
    // The contract of tools (3.D-11) and texts for the model.
    except: ['please tell user to check it', 'Tell user to review it now', 'Do not hand back work'],
    // Migrations and journal fixtures are never edited; requirements are quoted word by word.
    skips: /\/migrations\/\d|^test\/fixtures\/journal\/first|^docs\/contributing\/requirements\//,
  },
];

/** All names of a domain: its own name in every spelling, and the names of everything that it declares. */
function namesOf({ name, tools = [], agents = [], pipelines = [], ...domain }: Domain): string[] {
  const words = name.split('-');
  const camel = words.map((word, index) => (index === 0 ? word : capital(word))).join('');
  return [
    ...[name, camel, capital(camel), words.join('_'), words.join(' ')],
    ...tools.flatMap((tool) => [tool.name, tool.name.replaceAll('_', ' ')]),
    ...Object.keys({ ...domain.messageData?.input, ...domain.messageData?.stored }),
    ...Object.keys(domain.stagedChanges ?? {}),
    ...[...agents, ...pipelines].map((agent) => agent.name),
    ...(domain.routes ?? []).flatMap(({ path, answer }) => [
      path.split('/')[0] ?? path,
      ...('name' in answer ? [answer.name] : []),
    ]),
  ];
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
