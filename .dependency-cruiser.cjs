/**
 * The arrows of the house (docs/explanation/architecture.md), one named rule each. Arrows point down only:
 *
 *   apps  →  L3 adapters  →  guarded-fetch, bounded-process
 *                        →  L2b executions, knowledge  →  L2 agent-core
 *                        →  L1 payloads, policy, tooling, config, concurrency  →  L0 kernel, kit
 *
 * `test/architecture/boundaries.spec.ts` breaks every rule below once and expects to be caught.
 */
/** L0 knows nothing of the house. The kit is also part of the npm package, so it stands on zod alone. */
const LEVEL_0 = ['kernel', 'kit'];
const LEVEL_1 = ['payloads', 'policy', 'tooling', 'config', 'concurrency'];
const BELOW_CORE = [...LEVEL_0, ...LEVEL_1];
const LEVEL_3 = [
  ...['persistence', 'queue', 'event-stream', 'model-providers', 'tool-sources', 'secrets'],
  ...['observability', 'http-server', 'rate-limits', 'document-parsers', 'blob-store', 'project'],
];
/** Below the adapters and open to each of them. */
const BELOW_LEVEL_3 = ['guarded-fetch', 'bounded-process'];
/** L2 and L2b: what the service does, over ports. */
const CORE = ['agent-core', 'executions', 'knowledge'];
/** Runs agents of a project in memory, for tests: on top of the core and of what loads projects. */
const TESTING = 'kit-testing';
const LIBRARIES = [...BELOW_CORE, ...CORE, ...BELOW_LEVEL_3, ...LEVEL_3, TESTING];

const ANY_LIBRARY = '^libs/[^/]+/';

/** API and worker in one process. */
const WHOLE_SERVICE = '^apps/service/';

const OWN_REQUESTS = '^(libs/(guarded-fetch|model-providers|blob-store)|apps/api/src/assignments)/';
const SPEC = '\\.spec\\.ts$';
/** Builtins that compute and neither wait, read, write nor look at the machine. */
const PURE_BUILTINS = '^(assert|path|string_decoder|url|util)(/|$)';
/** Functions that need nothing around them. */
const PURE_PACKAGES = 'zod|jsonrepair|@petamoriken/float16|fastest-levenshtein';

const libs = (names) => `^libs/(${names.join('|')})/`;

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const levels = [
  {
    name: 'kernel-imports-nothing',
    comment: 'L0 is what everything stands on: no library, no package, no builtin.',
    from: { path: '^libs/kernel/', pathNot: SPEC },
    to: { pathNot: '^libs/kernel/' },
  },
  {
    name: 'the-kit-stands-alone',
    comment:
      'Tools and domains of a project are written against it: it knows no library, and no package but zod.',
    from: { path: '^libs/kit/', pathNot: SPEC },
    to: { pathNot: ['^libs/kit/', '(^|/)node_modules/zod/'] },
  },
  {
    name: 'level-1-siblings-are-strangers',
    comment: 'payloads, policy, tooling, config and concurrency know L0 and never each other.',
    from: { path: libs(LEVEL_1) },
    to: { path: libs(LEVEL_1), pathNot: '^libs/$1/' },
  },
  {
    name: 'level-1-looks-down-only',
    comment: 'L1 knows L0 alone: neither agent-core nor an adapter.',
    from: { path: libs(LEVEL_1) },
    to: { path: '^libs/', pathNot: libs(BELOW_CORE) },
  },
  {
    name: 'agent-core-looks-down-only',
    comment: 'The loop speaks to ports of its own; it knows no adapter.',
    from: { path: '^libs/agent-core/' },
    to: { path: '^libs/', pathNot: libs([...BELOW_CORE, 'agent-core']) },
  },
  {
    name: 'executions-look-down-only',
    comment: 'The application speaks to ports of its own; apps introduce the adapters.',
    from: { path: '^libs/executions/' },
    to: { path: '^libs/', pathNot: libs([...BELOW_CORE, 'agent-core', 'executions']) },
  },
  {
    name: 'knowledge-looks-down-only',
    comment:
      'Documents and executions are strangers: knowledge knows L0 and L1, and speaks to ports of its own.',
    from: { path: '^libs/knowledge/' },
    to: { path: '^libs/', pathNot: libs([...BELOW_CORE, 'knowledge']) },
  },
  {
    name: 'adapters-are-strangers',
    comment:
      'The app introduces adapters to each other. Only observability may be shared, and what stands below them: guarded-fetch, bounded-process.',
    from: { path: libs(LEVEL_3) },
    to: { path: libs(LEVEL_3), pathNot: ['^libs/$1/', '^libs/observability/'] },
  },
  {
    name: 'the-test-kit-runs-in-memory',
    comment: 'Tests of agents need the core and what loads projects: no adapter, and so no database.',
    from: { path: libs([TESTING]) },
    to: { path: '^libs/', pathNot: libs([...BELOW_CORE, ...CORE, 'project', TESTING]) },
  },
  {
    name: 'production-needs-no-test-kit',
    comment: 'What runs agents for tests is part of the npm package, and of no program of the service.',
    from: { path: '^(apps|libs)/', pathNot: libs([TESTING]) },
    to: { path: libs([TESTING]) },
  },
  {
    name: 'lower-adapters-know-the-kernel-alone',
    comment:
      'One guarded request, and one bounded process, for every adapter; they know none of them, and no logger that could quote them.',
    from: { path: libs(BELOW_LEVEL_3) },
    to: { path: '^libs/', pathNot: libs(['kernel', ...BELOW_LEVEL_3]) },
  },
  {
    name: 'requests-go-out-guarded',
    comment: 'A given URL may lead inside: use #libs/guarded-fetch. Blobs and workers are our own.',
    from: { path: '^(apps|libs)/', pathNot: [SPEC, OWN_REQUESTS] },
    to: { path: '(^|/)node_modules/(undici|axios|got|node-fetch)/' },
  },
  {
    name: 'every-library-has-a-level',
    comment:
      'A library that no level above names could know everything. Domains are projects (docs/guides/projects.md).',
    from: { path: ANY_LIBRARY, pathNot: libs(LIBRARIES) },
    to: {},
  },
  {
    name: 'only-the-list-names-simulated-domains',
    comment: 'What plays the part of a model for a domain is named in domains.ts of the simulator alone.',
    from: { path: '^apps/simulator/', pathNot: '^apps/simulator/src/domains(/|\\.ts$)' },
    to: { path: '^apps/simulator/src/domains/' },
  },
  {
    name: 'simulated-domains-are-strangers',
    comment: 'What plays the part of a model for a domain knows no other domain.',
    from: { path: '^apps/simulator/src/domains/([^/]+)/' },
    to: { path: '^apps/simulator/src/domains/', pathNot: '^apps/simulator/src/domains/$1/' },
  },
  {
    name: 'nothing-imports-an-app',
    comment: 'Apps are roots. What two of them need is a library.',
    from: { path: '^(bench|libs|scripts)/' },
    to: { path: '^apps/' },
  },
  {
    name: 'apps-are-islands',
    comment:
      'An app never imports another; they meet in the database and the queue. Only `service` puts some into one process.',
    from: { path: '^apps/([^/]+)/', pathNot: WHOLE_SERVICE },
    to: { path: '^apps/', pathNot: '^apps/$1/' },
  },
  {
    name: 'the-console-is-a-client',
    comment: 'It runs in a browser and knows the service by openapi.json alone.',
    from: { path: '^apps/console/' },
    to: { path: '^(libs|bench|scripts)/' },
  },
  {
    name: 'the-package-is-a-client',
    comment: 'It is installed elsewhere and knows the service by openapi.json alone.',
    from: { path: '^packages/' },
    to: { path: '^(apps|libs|bench|examples|scripts|test)/' },
  },
  {
    name: 'the-client-stands-alone',
    comment:
      'It runs in browsers, on Node and at the edge: no package, no builtin, nothing of the command line.',
    from: { path: '^packages/[^/]+/src/client/', pathNot: SPEC },
    to: { pathNot: '^packages/[^/]+/(src/client|generated)/' },
  },
  {
    name: 'hooks-know-the-client-alone',
    comment: 'Hooks run in browsers: React and the client.',
    from: { path: '^packages/[^/]+/src/react/', pathNot: SPEC },
    to: {
      pathNot: ['^packages/[^/]+/src/(client/index\\.ts$|react/)', '(^|/)node_modules/(@types/)?react/'],
    },
  },
  {
    name: 'examples-can-be-copied',
    comment:
      'An example is a project of its own: it imports the npm package by its name, other packages and its own files.',
    from: { path: '^examples/([^/]+)/' },
    to: {
      path: '^(apps|bench|examples|libs|packages|scripts|test)/',
      pathNot: [
        '^examples/$1/',
        '^libs/kit/src/(index|testing)\\.ts$',
        '^packages/capstan/src/client/index\\.ts$',
      ],
    },
  },
  {
    name: 'the-whole-uses-doors',
    comment:
      'The process that is API and worker takes them through their index.ts or starts their main.ts, and has no more of them.',
    from: { path: WHOLE_SERVICE },
    to: { path: '^apps/', pathNot: [WHOLE_SERVICE, '^apps/(api|worker)/src/(index|main)\\.ts$'] },
  },
];

/** L1, L2 and the wire formats of model servers. */
const PURE = [libs([...LEVEL_1, ...CORE]), '^libs/model-providers/src/wire/'];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const purity = [
  {
    name: 'pure-levels-know-only-pure-packages',
    comment: 'L1 and L2 run everywhere: no framework, database or client, only packages of functions.',
    from: { path: PURE, pathNot: SPEC },
    to: { path: '(^|/)node_modules/', pathNot: `(^|/)node_modules/(${PURE_PACKAGES})/` },
  },
  {
    name: 'pure-levels-do-no-io',
    comment:
      'L1 and L2 are functions of their arguments: files, sockets and processes belong to L3 and apps.',
    from: { path: PURE, pathNot: SPEC },
    to: { dependencyTypes: ['core'], pathNot: PURE_BUILTINS },
  },
];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const doors = [
  {
    name: 'libraries-meet-at-the-door',
    comment: 'A library reaches another as #libs/<name> only; that name leads to its index.ts.',
    from: { path: '^libs/([^/]+)/' },
    to: { path: ANY_LIBRARY, pathNot: '^libs/$1/', dependencyTypesNot: ['aliased-subpath-import'] },
  },
  {
    name: 'visitors-use-the-door',
    comment: 'Apps, tests and scripts reach a library as #libs/<name> only, never its inner files.',
    from: { path: '^(apps|test|bench|scripts)/' },
    to: { path: ANY_LIBRARY, dependencyTypesNot: ['aliased-subpath-import'] },
  },
  {
    name: 'own-door-is-for-others',
    comment: 'Inside a library files name each other; importing the own index.ts makes hidden cycles.',
    from: { path: '^libs/([^/]+)/' },
    to: { path: '^libs/$1/src/index\\.ts$' },
  },
];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const order = [
  {
    name: 'no-cycles',
    comment: 'Two files that need each other are one file, or miss a third.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphans',
    comment: 'A file that nothing uses and that uses nothing is left over.',
    from: {
      orphan: true,
      // Node finds `live-globals` where a spec names `@jest/globals`.
      pathNot: [
        ...['^apps/[^/]+/src/main\\.ts$', '^[^/]+$', '\\.d\\.m?ts$', '^scripts/'],
        '^test/runner/live-globals\\.ts$',
      ],
    },
    to: {},
  },
  {
    name: 'production-knows-no-test',
    comment: 'What runs in production imports nothing that exists for tests.',
    from: { path: '^(apps|libs)/', pathNot: SPEC },
    to: { path: '^(test|bench)/' },
  },
  {
    name: 'production-knows-no-example',
    comment: 'The service loads projects from PROJECT, and is built without those of the examples.',
    from: { path: '^(apps|libs)/' },
    to: { path: '^examples/' },
  },
  {
    name: 'no-import-of-a-spec',
    comment: 'A spec is run, not imported; what several need is a builder or a fake under test/support.',
    from: {},
    to: { path: SPEC },
  },
  {
    name: 'loaded-for-the-first-use',
    comment:
      'What holds megabytes and most processes never need is imported by import(), where it is used first (docs/contributing/performance.md).',
    from: { path: '^(apps|libs)/', pathNot: [SPEC, '^apps/simulator/'] },
    to: {
      path: [
        '^libs/tool-sources/src/mcp/sdk-connector\\.ts$',
        '^libs/tool-sources/src/oauth/(challenge|client-credentials|consent|refresh-grant|revoke-grant)\\.ts$',
        '(^|/)node_modules/openai/(index|client)\\.',
        '(^|/)node_modules/gpt-tokenizer/',
      ],
      dynamic: false,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'production-needs-no-dev-dependency',
    comment: 'The production image holds no development packages. The console is built with what it imports.',
    from: { path: '^(apps|libs)/', pathNot: [SPEC, '^apps/console/'] },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm'] },
  },
  {
    name: 'packages-are-declared',
    comment: 'A package that only another package brings may vanish with its next release.',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'imports-resolve',
    comment: 'An import that resolves to nothing hides every other rule from that edge.',
    // Generated clients stand beside these programs only while their test runs, and the packages of other systems only
    // beside copies of their programs. The types of the console are generated before it is checked.
    from: { pathNot: ['^test/fixtures/generated-clients/use-', '^bench/peers/programs/'] },
    to: { couldNotResolve: true, pathNot: '/generated/openapi\\.js$' },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [...levels, ...purity, ...doors, ...order].map((rule) => ({ ...rule, severity: 'error' })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|packages/[^/]+/dist)/' },
    detectProcessBuiltinModuleCalls: true,
    // Types are knowledge too: an arrow that only a type crosses is still an arrow.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['capstan-source', 'import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.mjs', '.cjs', '.js', '.json', '.d.ts'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
