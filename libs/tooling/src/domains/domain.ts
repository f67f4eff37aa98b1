import type { ErrorDescription, JsonObject } from '#libs/kernel';
import type { z } from 'zod';
import type { DomainDependencies, ToolDependencies } from './domain-dependencies.js';
import type { DomainList } from './domain-list.js';
import type { DomainRoute } from './domain-route.js';
import type { BackgroundTask } from './background-task.js';
import type { LookUp } from './look-up.js';
import type { ToolDefinition } from '../tool-definition.js';
import type { StagedChangeKind } from './staged-change-kind.js';

/** The schema of each key, by its name. Every key is optional: a message has what somebody gave it. */
export type DataSchemas = Readonly<Record<string, z.ZodType>>;

/** The data that such schemas read. */
export type DataOf<Schemas extends DataSchemas> = {
  readonly [Key in keyof Schemas]?: z.output<Schemas[Key]>;
};

/**
 * Data of messages as an earlier release declared it. A message says nothing of versions: it is of the newest one that reads
 * all that the domain has in it. What means something else in the same shape needs another name.
 */
export interface EarlierData {
  readonly version: number;
  /** Everything that was kept: what the front end sent, and what tools baked. */
  readonly keys: DataSchemas;
  /** Makes what `keys` read data of the next version. Pure. */
  upgrade(data: JsonObject): JsonObject;
}

/** What a domain keeps with the messages of a conversation, beside their text (S2-22, S2-23). */
export interface MessageData {
  /** Of `input` and `stored`; 1 by default. Goes up with a change that does not read what is kept already. */
  readonly version?: number;
  /** What the front end may send as `additional_data`. */
  readonly input?: DataSchemas;
  /** What the domain's tools may bake into the next answer. */
  readonly stored?: DataSchemas;
  /** Each version before this one, from the first. */
  readonly earlier?: readonly EarlierData[];
  /** Keys that are kept and never shown to the model. */
  readonly hiddenFromModel?: readonly string[];
}

export interface SeedDependencies<Manager> extends DomainDependencies<Manager> {
  readonly tenantId: string;
}

/** An agent that seeding makes or brings up to date, by its name. */
export interface DomainAgent {
  readonly name: string;
  readonly usecaseType: 'BASIC_CHAT' | 'CUSTOM';
  readonly systemPrompt: string;
  /** Names of tools that a domain defines. */
  readonly tools: readonly string[];
  /** Names of the agents that it calls; each stands before it, in its domain or in one that is listed before. */
  readonly calls?: readonly string[];
  /** By default empty. @param idOf the ids of the agents in `calls`, by their names */
  readonly config?: (idOf: (agent: string) => number) => JsonObject;
}

/** A migration class; its name ends with the 13 digits that order it. */
export type DomainMigration = new () => {
  readonly name?: string;
  up(queryRunner: never): Promise<unknown>;
  down(queryRunner: never): Promise<unknown>;
};

/**
 * What a product adds to the service. `Manager` is what its database code works with: TypeORM's `EntityManager` here,
 * unnamed because this library knows no database.
 */
export interface Domain<Manager = unknown> {
  /** As its folder below `libs`, e.g. `a-product`. */
  readonly name: string;
  /** Called once per process. */
  tools(dependencies: ToolDependencies<Manager>): readonly ToolDefinition[];
  readonly entities: readonly (new () => object)[];
  readonly migrations: readonly DomainMigration[];
  readonly messageData: Required<MessageData>;
  /** What is looked up of its values when a model is to read a message, by the key of `messageData` (S2-26). */
  readonly lookUps: Readonly<Record<string, LookUp<Manager>>>;
  /** What its tools may stage, by kind; each is made by `defineStagedChange`. */
  readonly stagedChanges: Readonly<Record<string, StagedChangeKind<Manager>>>;
  /** What it has done outside of the database, by routes that order it. */
  readonly tasks: readonly BackgroundTask<Manager>[];
  readonly agents: readonly DomainAgent[];
  /** Endpoints below `/api/`. */
  readonly routes: readonly DomainRoute<Manager>[];
  /** Lists below `/api/`, answered in pages. */
  readonly lists: readonly DomainList<Manager>[];
  /** Codes of its errors, beside those of the service: `docs/reference/errors.md` and the OpenAPI document have them too. */
  readonly errors: Readonly<Record<string, ErrorDescription>>;
  /** Gives a tenant example data; may run again, and leaves what is there. */
  seed(dependencies: SeedDependencies<Manager>): Promise<void>;
}

/** A domain as it is written: what it does not need is left out. */
export type DomainDefinition<Manager> = Pick<Domain<Manager>, 'name'> &
  Partial<Omit<Domain<Manager>, 'messageData'>> & { readonly messageData?: MessageData };

/** Completes a domain. What two domains may not share is checked when all are together, by `DomainCatalogue`. */
export function defineDomain<Manager = unknown>(definition: DomainDefinition<Manager>): Domain<Manager> {
  return {
    tools: () => [],
    entities: [],
    migrations: [],
    lookUps: {},
    stagedChanges: {},
    tasks: [],
    agents: [],
    routes: [],
    lists: [],
    errors: {},
    seed: () => Promise.resolve(),
    ...definition,
    messageData: {
      ...{ version: 1, input: {}, stored: {}, earlier: [], hiddenFromModel: [] },
      ...definition.messageData,
    },
  };
}
