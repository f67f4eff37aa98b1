import { Injectable } from '@nestjs/common';
import { AppError, type JsonObject } from '#libs/kernel';
import { ModelCatalogue, ProviderRegistry } from '#libs/model-providers';
import { loopParametersSchema, mergeOptions, readingWayOf, type ExecuteRequest } from '#libs/payloads';
import type { SubmissionGrounds } from '#libs/persistence';
import type { TenantSettings } from '#libs/policy';
import { SEARCH_KNOWLEDGE } from '#libs/tool-sources';
import { readAttachments, ToolCatalogue, type AttachedFile } from '#libs/tooling';
import { requireImplemented } from '../agents/agents.checks.js';
import { agentNotFound } from '../agents/agents.errors.js';
import { findPipelineOptionFaults, takesAttachments } from '../agents/pipeline-faults.js';
import { requireRetrieval } from '../agents/retrieval-faults.js';
import { findOptionFaults } from '../agents/option-faults.js';
import { RunMaxima } from '../strategies/run-maxima.js';
import { findApprovalFaults } from '../agents/tool-faults.js';
import { InvalidRequestError, type FieldError } from '../http/request-errors.js';
import { tenantNotFound } from '../tenants/tenants.errors.js';
import { pointerToAttachment } from './attached-files.js';

/**
 * Checks tenant, agent and model before anything is stored (S4-2); a worker checks again, since they may change. Answers the
 * tenant's limits. Throws `NOT_FOUND` for a missing or inactive agent (S3-29) and without a tenant,
 * `UNSUPPORTED_USECASE_TYPE`, `INACTIVE_RESOURCE` for an inactive tenant or model configuration, and an
 * `InvalidRequestError` for an input above the tenant's limit.
 */
export function requireStanding(
  { agent, llm, tenant }: Omit<SubmissionGrounds, 'checkedBy'>,
  { input }: Pick<ExecuteRequest, 'input'>,
): TenantSettings['limits'] {
  if (!agent.is_active) throw agentNotFound();
  requireImplemented(agent.usecase_type);
  if (tenant === null) throw tenantNotFound();
  if (tenant.status !== 'active') throw inactive('tenant');
  if (llm?.is_active !== true) throw inactive('model configuration');
  const { limits } = tenant.settings;
  const longest = limits.input_characters;
  if (longest !== null && input.length > longest)
    throw new InvalidRequestError([{ pointer: '#/input', detail: `at most ${longest} characters` }]);
  return limits;
}

function inactive(what: string): AppError {
  return new AppError({
    code: 'INACTIVE_RESOURCE',
    kind: 'invalid_input',
    message: `the ${what} is inactive`,
  });
}

/** Validates the options of a request, so that mistakes which would fail the run are refused before it is accepted. */
@Injectable()
export class CheckSubmission {
  constructor(
    private readonly catalogue: ModelCatalogue,
    private readonly providers: ProviderRegistry,
    private readonly tools: ToolCatalogue,
    private readonly maxima: RunMaxima,
  ) {}

  /** Throws an `InvalidRequestError` with every fault; with 422 if only retrieval settings are at fault. */
  execute(grounds: SubmissionGrounds, { options, additional_data: data }: ExecuteRequest): void {
    const { agent, llm } = grounds;
    const faults = findApprovalFaults(options, 'options', this.tools, [SEARCH_KNOWLEDGE]);
    faults.push(...this.maxima.findFaults(options, ['options']));
    if (Object.keys(options).length > 0 && llm !== null) {
      const place = { field: 'options', below: [llm.extra, agent.config] } as const;
      const { catalogue, providers } = this;
      faults.push(...findOptionFaults(options, llm, place, { catalogue, providers }));
    }
    if (agent.usecase_type === 'CUSTOM') faults.push(...findPipelineOptionFaults(options));
    if (faults.length === 0)
      faults.push(...this.findAttachmentFaults(grounds, options, readAttachments(data)));
    if (faults.length > 0) throw new InvalidRequestError(faults);
    if (agent.usecase_type === 'RAG_CHAT') requireRetrieval(mergeOptions(agent.config, options), 'options');
  }

  /** Finds files that the model can read neither natively nor as text. */
  private findAttachmentFaults(
    { agent, llm }: SubmissionGrounds,
    options: JsonObject,
    attached: readonly AttachedFile[],
  ): FieldError[] {
    if (llm === null || attached.length === 0) return [];
    if (agent.usecase_type === 'CUSTOM' && !takesAttachments(agent.config))
      return attached.map((_file, at) => ({
        pointer: pointerToAttachment(at),
        detail: 'no step would read it',
      }));
    const merged = mergeOptions(llm.extra, agent.config, options);
    const loop = loopParametersSchema.shape.native_media.safeParse(merged['native_media']);
    const native = loop.data ?? this.catalogue.nativeMediaOf(llm);
    return attached.flatMap(({ media_type: type }, at) => {
      if (readingWayOf(type, native) !== null) return [];
      const detail = `is of a type that the model does not read: ${type}`;
      return [{ pointer: pointerToAttachment(at), detail }];
    });
  }
}
