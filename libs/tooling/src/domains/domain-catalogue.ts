import type { SettlingExecution } from '#libs/kit';
import { AppError, type ErrorDescription } from '#libs/kernel';
import type { StagedChange, ToolDefinition } from '../tool-definition.js';
import { checkDomains, domainFault } from './check-domains.js';
import type { Domain, DomainAgent, DomainMigration, SeedDependencies } from './domain.js';
import type { DomainDependencies, ToolDependencies } from './domain-dependencies.js';
import type { DomainList } from './domain-list.js';
import type { DomainRoute } from './domain-route.js';
import type { BackgroundTask } from './background-task.js';
import { findConfusable } from './find-confusable.js';
import type { LookUps } from './look-up.js';
import { MessageDataSchemas, strictSchema } from './message-data-schemas.js';

/**
 * All domains of a process, checked on construction. Throws `DOMAIN_INVALID`, which names the domain and the reason.
 */
export class DomainCatalogue<Manager> {
  readonly migrations: readonly DomainMigration[];
  readonly agents: readonly DomainAgent[];
  readonly routes: readonly DomainRoute<Manager>[];
  readonly lists: readonly DomainList<Manager>[];
  readonly tasks: readonly BackgroundTask<Manager>[];
  readonly errors: Readonly<Record<string, ErrorDescription>>;
  readonly messageData: MessageDataSchemas;
  /** Domain name by tag of the API document. */
  readonly tags: ReadonlyMap<string, string>;

  constructor(private readonly domains: readonly Domain<Manager>[]) {
    checkDomains(domains);
    assertDistinguishable(
      'agent',
      domains.flatMap((domain) => domain.agents.map(({ name }) => ({ domain: domain.name, name }))),
    );
    this.migrations = domains.flatMap((domain) => domain.migrations);
    this.agents = domains.flatMap((domain) => domain.agents);
    this.routes = domains.flatMap((domain) => domain.routes);
    this.lists = domains.flatMap((domain) => domain.lists);
    this.tasks = domains.flatMap((domain) => domain.tasks);
    this.errors = Object.fromEntries(domains.flatMap((domain) => Object.entries(domain.errors)));
    this.messageData = new MessageDataSchemas(domains.map((domain) => domain.messageData));
    this.tags = new Map(
      domains.flatMap(({ name, routes, lists }) =>
        [...routes, ...lists].map(({ tag }): [string, string] => [tag, name]),
      ),
    );
  }

  /**
   * The tools of all domains; each may bake and stage only data that its own domain declares. Throws if a model could
   * confuse two tool names (S2-1).
   */
  tools(dependencies: ToolDependencies<Manager>): readonly ToolDefinition[] {
    const owned = this.domains.map((domain) => ({ domain, tools: toolsOf(domain, dependencies) }));
    assertDistinguishable(
      'tool',
      owned.flatMap(({ domain, tools }) => tools.map(({ name }) => ({ domain: domain.name, name }))),
    );
    return owned.flatMap(({ tools }) => tools);
  }

  /** The look-ups of all domains, by key of the message data. */
  lookUps(dependencies: DomainDependencies<Manager>): LookUps {
    const all = this.domains.flatMap(({ lookUps }) => Object.entries(lookUps));
    return new Map(all.map(([key, lookUp]) => [key, (value, asker) => lookUp(value, asker, dependencies)]));
  }

  /**
   * Rejects agents that name an unknown tool, or that call an agent not created before them, before anything is stored.
   */
  checkAgents(dependencies: ToolDependencies<Manager>): void {
    const names = new Set(this.tools(dependencies).map((tool) => tool.name));
    for (const domain of this.domains) assertToolsOfAgents(domain, names);
    assertCalledBefore(this.domains);
  }

  /** Applies a change that a tool staged, in the transaction of `manager`. */
  async applyStagedChange(
    manager: Manager,
    change: StagedChange,
    execution: SettlingExecution,
  ): Promise<void> {
    const owner = this.domains.find(({ stagedChanges }) => Object.hasOwn(stagedChanges, change.kind));
    const kind = owner?.stagedChanges[change.kind];
    if (kind === undefined) throw unknownStagedChange(change.kind);
    await kind.apply(manager, change, execution);
  }

  /** Writes the example data of all domains for one tenant. */
  async seed(dependencies: SeedDependencies<Manager>): Promise<void> {
    for (const domain of this.domains) await domain.seed(dependencies);
  }
}

function toolsOf<Manager>(
  domain: Domain<Manager>,
  dependencies: ToolDependencies<Manager>,
): ToolDefinition[] {
  const { stored } = domain.messageData;
  const allowed = Object.keys(stored).join(', ') || 'nothing';
  const keeps = {
    baked: strictSchema(stored, `the domain "${domain.name}" declares in messageData.stored: ${allowed}`),
    staged: new Map(Object.entries(domain.stagedChanges).map(([kind, { data }]) => [kind, data])),
  };
  return domain.tools(dependencies).map((tool) => ({ ...tool, keeps, answersWith: 'result' }));
}

function assertDistinguishable(
  what: 'tool' | 'agent',
  owned: readonly { readonly domain: string; readonly name: string }[],
): void {
  const found = findConfusable(owned.map(({ name }) => name));
  const owner = owned.findLast(({ name }) => name === found?.name);
  if (found && owner)
    throw domainFault(owner.domain, `its ${what} "${found.name}" reads like the ${what} "${found.like}"`);
}

function assertToolsOfAgents(domain: Pick<Domain, 'name' | 'agents'>, names: ReadonlySet<string>): void {
  for (const agent of domain.agents) {
    const missing = agent.tools.filter((name) => !names.has(name));
    if (missing.length > 0)
      throw domainFault(
        domain.name,
        `its agent "${agent.name}" names tools that no domain has: ${missing.join(', ')}`,
      );
  }
}

/** Seeding creates agents in this order, so that a called agent exists before its caller. */
function assertCalledBefore(domains: readonly Pick<Domain, 'name' | 'agents'>[]): void {
  const made = new Set<string>();
  for (const { name: domain, agents } of domains) {
    for (const { name, calls = [] } of agents) {
      const missing = calls.filter((called) => !made.has(called));
      if (missing.length > 0)
        throw domainFault(
          domain,
          `its agent "${name}" calls agents that do not stand before it: ${missing.join(', ')}`,
        );
      made.add(name);
    }
  }
}

function unknownStagedChange(kind: string): AppError {
  return new AppError({
    code: 'UNKNOWN_STAGED_CHANGE',
    kind: 'internal',
    message: `no domain applies staged changes of the kind "${kind}"`,
  });
}
