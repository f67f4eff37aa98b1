import type { Mutant } from './mutant.js';

const FOREIGN = 'libs/agent-core/src/foreign-content.ts';
const FOREIGN_SPEC = 'libs/agent-core/src/foreign-content.spec.ts';
const SETTLE = 'libs/agent-core/src/settle-without-running.ts';
const SURROUNDINGS = 'libs/agent-core/src/scopes/scope-surroundings.ts';
const INVOKER = 'libs/executions/src/tools/catalogue-tool-invoker.ts';
const INVOKER_SPEC = 'test/integration/worker/tools/foreign-content.spec.ts';
const ADDRESSES = 'libs/guarded-fetch/src/address-policy.ts';
const ADDRESSES_SPEC = 'libs/guarded-fetch/src/address-policy.spec.ts';
const HOSTS = 'libs/guarded-fetch/src/private-hosts.ts';
const HOSTS_SPEC = 'libs/guarded-fetch/src/private-hosts.spec.ts';
const REDIRECTS = 'libs/guarded-fetch/src/redirects.ts';
const REDIRECTS_SPEC = 'libs/guarded-fetch/src/redirects.spec.ts';
const CLIENT = 'libs/guarded-fetch/src/guarded-client.ts';
const TURNS = 'libs/concurrency/src/turns.ts';
const CALLS = 'libs/tool-sources/src/limits/server-calls.ts';
const CALLS_SPEC = 'libs/tool-sources/src/limits/server-calls.spec.ts';
const LIMITED = 'libs/tool-sources/src/limits/limited-driver.ts';
const LIMITED_SPEC = 'libs/tool-sources/src/limits/limited-driver.spec.ts';
const ECHO_SPEC = 'libs/tool-sources/src/servers/without-credentials.spec.ts';
const CLIENT_SPEC = 'test/integration/guarded-fetch/guarded-client.spec.ts';

/** Foreign content in prompts, and outgoing requests to addresses that outsiders supply. */
export const FOREIGN_MUTANTS: readonly Mutant[] = [
  {
    row: 'foreign',
    file: 'libs/agent-core/src/foreign-mark.ts',
    find: '\\n[end of foreign content ${mark}]',
    replace: '\\n[end of foreign content]',
    spec: FOREIGN_SPEC,
    why: 'a server ends its own words and speaks on as somebody else',
  },
  {
    row: 'foreign',
    file: FOREIGN,
    find: 'number < round && calls.some(isForeign)',
    replace: 'number <= round && calls.some(isForeign)',
    spec: FOREIGN_SPEC,
    why: 'a call waits for a person that was asked for before anything foreign was read',
  },
  {
    row: 'foreign',
    file: FOREIGN,
    find: 'hasReadForeign(scopeOf(state, scope), round) || hasForeignInside(state, scope, round)',
    replace: 'hasForeignInside(state, scope, round)',
    spec: FOREIGN_SPEC,
    why: 'an agent that is called is not bound by what its caller has read',
  },
  {
    row: 'foreign',
    file: FOREIGN,
    find: 'hasReadForeign(scope, Infinity) || hasForeignInside(state, inside, Infinity)',
    replace: 'hasReadForeign(scope, Infinity)',
    spec: FOREIGN_SPEC,
    why: 'what an agent deep inside has read comes to its callers unnoticed',
  },
  {
    row: 'foreign',
    file: SETTLE,
    find: "verdict.effect === 'unsafe' && asksAfterForeign(call, round)",
    replace: 'asksAfterForeign(call, round)',
    spec: FOREIGN_SPEC,
    why: 'a person is asked about calls that change nothing',
  },
  {
    row: 'foreign',
    file: SURROUNDINGS,
    find: 'callers.some((caller) => rulesOf(caller)?.asksAfterForeignContent === true)',
    replace: 'false',
    spec: FOREIGN_SPEC,
    why: 'an agent gets around its own rule by calling another one',
  },
  {
    row: 'foreign',
    file: INVOKER,
    find: '...(tool.isForeign === true && this.markOf(reading))',
    replace: '',
    spec: INVOKER_SPEC,
    why: 'what a tool server answers is read as if it were ours',
  },
  {
    row: 'outgoing',
    file: ADDRESSES,
    find: 'return parsed instanceof ipaddr.IPv4 || !parsed.match(METADATA);',
    replace: 'return true;',
    spec: ADDRESSES_SPEC,
    why: 'a name that the operator trusts leads to the credentials of the machine',
  },
  {
    row: 'outgoing',
    file: ADDRESSES,
    find: 'policy.allowPrivate !== true || !PRIVATE_RANGES.has(range)',
    replace: 'policy.allowPrivate !== true',
    spec: ADDRESSES_SPEC,
    why: 'a trusted name leads to link-local and reserved addresses',
  },
  {
    row: 'outgoing',
    file: HOSTS,
    find: 'host.tenantId === null || host.tenantId === tenantId',
    replace: 'host.host.length > 0',
    spec: [HOSTS_SPEC, CLIENT_SPEC],
    why: "a tenant calls into another one's private network",
  },
  {
    row: 'outgoing',
    file: REDIRECTS,
    find: "if (url.origin === hop.url.origin || scope === 'same_host')",
    replace: "if (url.hostname === hop.url.hostname || scope === 'same_host')",
    spec: REDIRECTS_SPEC,
    why: 'credentials go to another port of the same host',
  },
  {
    row: 'outgoing',
    file: REDIRECTS,
    find: '.filter(([name]) => SHOWN_TO_OTHERS.has(name))',
    replace: ".filter(([name]) => name !== 'authorization')",
    spec: [REDIRECTS_SPEC, CLIENT_SPEC],
    why: 'a key in a header of its own goes wherever a server leads',
  },
  {
    row: 'outgoing',
    file: CLIENT,
    find: 'own: guardedAgent({ ...guard, reusesConnections: false })',
    replace: 'own: guardedAgent(guard)',
    spec: CLIENT_SPEC,
    why: 'an unsafe call goes out on a connection that its server is about to close',
  },
  {
    row: 'outgoing',
    file: CLIENT,
    find: 'const key = privateHosts.some((host) => host.tenantId === tenantId) ? tenantId : null;',
    replace: 'const key = null;',
    spec: CLIENT_SPEC,
    why: 'a tenant goes in over the open connection of another one',
  },
  {
    row: 'server calls',
    file: TURNS,
    find: '        if (isInside) this.taken += 1;\n',
    replace: '',
    spec: CALLS_SPEC,
    why: 'a server gets more calls at once than it may',
  },
  {
    row: 'server calls',
    file: CALLS,
    find: "      signal.addEventListener('abort', abort);\n",
    replace: '',
    spec: CALLS_SPEC,
    why: 'a call that does not mind its signal keeps its place for ever',
  },
  {
    row: 'server calls',
    file: CALLS,
    find: 'foundNobody(error) ? afterFailure(',
    replace: 'error !== null ? afterFailure(',
    spec: CALLS_SPEC,
    why: 'a server that answers errors is left alone as if nobody were there',
  },
  {
    row: 'server calls',
    file: CALLS,
    find: 'if (known?.version === version) return known;',
    replace: 'if (known !== undefined) return known;',
    spec: CALLS_SPEC,
    why: 'a server whose address was mended is left alone for that of before',
  },
  {
    row: 'server calls',
    file: CALLS,
    find: 'if (known.room.isEmpty && isWell && ',
    replace: 'if (known.room.isEmpty && !isWell && ',
    spec: CALLS_SPEC,
    why: 'every server that was ever called stays in memory',
  },
  {
    row: 'foreign',
    file: LIMITED,
    find: 'isForeign: true',
    replace: 'isForeign: false',
    spec: LIMITED_SPEC,
    why: 'what a tool server answers is read as if it were ours',
  },
  {
    row: 'foreign',
    file: 'libs/tool-sources/src/servers/open-server.ts',
    find: 'return await withoutCredentials(opened, sent, stop);',
    replace: 'return opened;',
    spec: ECHO_SPEC,
    why: 'a server that sends a token back has it stored and shown',
  },
  {
    row: 'foreign',
    file: 'libs/executions/src/attempt/loggable-error.ts',
    find: 'if (isForeign !== true) return { err: error };',
    replace: 'if (isForeign !== undefined) return { err: error };',
    spec: 'libs/executions/src/tools/catalogue-tool-invoker.spec.ts',
    why: 'the log keeps what a server of somebody else wrote into an error',
  },
  {
    row: 'foreign',
    file: INVOKER,
    find: "signal.removeEventListener('abort', rejectAsLate);",
    replace: '',
    spec: 'libs/executions/src/tools/catalogue-tool-invoker.spec.ts',
    why: 'the signal of a call that is over keeps all tools of its run',
  },
  {
    row: 'foreign',
    file: 'libs/executions/src/plan/agent-scopes.ts',
    find: "new Set(['TOKENS_EXPIRED', ",
    replace: 'new Set([',
    spec: 'test/integration/worker/agents/called-agents.spec.ts',
    why: 'an execution whose tokens are gone goes on as if an agent were broken',
  },
  {
    row: 'foreign',
    file: 'libs/guarded-fetch/src/judge-url.ts',
    find: 'if (isIP(host) !== 0) return isCallableAddress',
    replace: 'if (isIP(host) === 4) return isCallableAddress',
    spec: 'test/integration/tool-servers/hostile-addresses.spec.ts',
    why: 'a server inside is registered by an address of IPv6',
  },
  {
    row: 'foreign',
    file: 'libs/tooling/src/tool-catalogue.ts',
    find: 'tool.isForeign === true ? asForeign(description) : description',
    replace: 'description',
    spec: 'libs/tooling/src/tool-catalogue.spec.ts',
    why: 'a server speaks to the model in the description of a tool as if it were we',
  },
  {
    row: 'foreign',
    file: 'libs/tool-sources/src/openapi/assert-bounded.ts',
    find: 'if (found.chars > MAX_CHARS)',
    replace: 'if (found.chars < 0)',
    spec: 'libs/tool-sources/src/openapi/check-document.spec.ts',
    why: 'a small description has gigabytes as JSON, by aliases of one long text',
  },
  {
    row: 'foreign',
    file: 'libs/tool-sources/src/openapi/to-arguments.ts',
    find: 'if (total.left <= 0) throw new TooManySchemas();',
    replace: '',
    spec: 'libs/tool-sources/src/openapi/loaded-services.spec.ts',
    why: 'a short description of many large operations holds a worker up for seconds',
  },
  {
    row: 'foreign',
    file: 'libs/tool-sources/src/openapi/apart/read-description.ts',
    find: 'if (left < 0)',
    replace: 'if (left < -Infinity)',
    spec: 'libs/tool-sources/src/openapi/apart/description-reader.spec.ts',
    why: 'many files that are small each come to gigabytes together',
  },
  {
    row: 'outgoing',
    file: REDIRECTS,
    find: "if (scope === 'same_host' && (url === null || !isSameHost(hop.url, url))) return { kind: 'none' };",
    replace: '',
    spec: REDIRECTS_SPEC,
    why: 'the credentials of a described service follow a redirect to another host',
  },
  {
    row: 'foreign',
    file: 'apps/api/src/mcp-servers/server-config-keeper.ts',
    find: 'return { config: { ...config, document }, problems: check.problems };',
    replace: 'return { config, problems: check.problems };',
    spec: 'test/integration/api/tool-servers/yaml-descriptions.spec.ts',
    why: 'every worker reads YAML again',
  },
  {
    row: 'foreign',
    file: 'apps/api/src/mcp-servers/server-config-keeper.ts',
    find: ' && destinationOf(type, given) !== kept',
    replace: '',
    spec: 'test/integration/api/tool-servers/yaml-descriptions.spec.ts',
    why: 'a server whose description was stored as YAML loses its secrets when that is given anew',
  },
];
