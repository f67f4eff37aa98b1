import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { ModelFactory, type ResolvedModel, type StoredLlm } from '#libs/executions';
import {
  AuditLog,
  costOf,
  EnginePlaces,
  ModelCatalogue,
  ModelHosts,
  ProviderRegistry,
  sdkModule,
  tokenizerOf,
  type CallSurroundings,
  type Pricing,
} from '#libs/model-providers';
import type { Logger } from '#libs/observability';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { ModelConnections } from './model-connections.js';

type Client = Pick<ResolvedModel, 'model' | 'maxRetries'>;

/** Maximum model configurations with a cached client; a process rarely uses more. */
const MAX_CLIENTS = 200;

/** Resolves an agent's model configuration by its provider, with its own key and server or those of the process. */
@Injectable()
export class ProviderModelFactory extends ModelFactory {
  /** Clients by key and settings; cached because creating one costs more than a database round trip. */
  private readonly known = new Map<string, Client>();
  private readonly catalogue: ModelCatalogue;
  private readonly surroundings: Pick<CallSurroundings, 'audit' | 'hosts' | 'engine'>;

  constructor(
    private readonly connections: ModelConnections,
    private readonly providers: ProviderRegistry,
    hosts: ModelHosts,
    @Inject(WORKER_CONFIG) { models, worker }: AppConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    super();
    this.catalogue = new ModelCatalogue(providers, models.aliases);
    const audit = new AuditLog({
      enabled: models.isAudited,
      write: (line) => {
        logger.info(line);
      },
    });
    const { folder, processes } = models.engine;
    const engine = {
      sdk: sdkModule(folder),
      places: new EnginePlaces(processes ?? undefined),
      startsEngines: worker.engineRuns !== 'none',
    };
    this.surroundings = { audit, hosts, engine };
  }

  /** Throws an `AppError` that may become the execution's error if the configuration is unusable. */
  override of(llm: StoredLlm): ResolvedModel {
    const pricing = this.catalogue.pricingOf(llm);
    const id = this.catalogue.idOf(llm);
    return {
      ...this.clientOf(llm),
      ...(id !== llm.model && { id }),
      contextSize: this.catalogue.contextSizeOf(llm),
      tokenizer: tokenizerOf(llm.model),
      nativeMedia: this.catalogue.nativeMediaOf(llm),
      parameters: this.providers.get(llm.provider).parameters,
      prices: pricing === null ? null : listed(pricing),
      costOf: (tokens) => (pricing?.currency === 'USD' ? costOf(tokens, pricing) : null),
    };
  }

  private clientOf(llm: StoredLlm): Client {
    const key = JSON.stringify([llm.tenantId, llm.id, llm.provider, llm.apiKeySealed, llm.credentials]);
    const known = this.known.get(key);
    if (known) return known;
    const made = this.connect(llm);
    if (this.known.size >= MAX_CLIENTS) this.known.clear();
    this.known.set(key, made);
    return made;
  }

  private connect(llm: StoredLlm): Client {
    const { connection, maxRetries } = this.connections.of(llm);
    const caller = JSON.stringify([llm.tenantId, llm.id]);
    const model = this.providers.get(llm.provider).connect(connection, { ...this.surroundings, caller });
    return { maxRetries, model };
  }
}

/** Prices are per million tokens. */
function listed({ currency, input, output }: Pricing): ResolvedModel['prices'] {
  return { currency, promptUnitPrice: input, completionUnitPrice: output, priceUnit: '0.000001' };
}
