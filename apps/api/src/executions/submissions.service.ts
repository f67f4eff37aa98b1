import { Injectable } from '@nestjs/common';
import {
  findRepeatable,
  SubmitExecution,
  type PassedChecks,
  type SubmitCommand,
  type Submitted,
} from '#libs/executions';
import type { ExecuteRequest } from '#libs/payloads';
import { ExecutionStore, type SubmissionGrounds } from '#libs/persistence';
import type { TenantSettings } from '#libs/policy';
import { InvalidRequestError } from '../http/request-errors.js';
import { agentNotFound, unknownAgentVersion } from '../agents/agents.errors.js';
import { AttachedFiles, namesFiles } from './attached-files.js';
import { CheckSubmission, requireStanding } from './executions.checks.js';
import type { RetryRequestDto } from './executions.dto.js';
import {
  alreadyCompleted,
  executionNotFound,
  filesGone,
  notSettled,
  submissionRefused,
  tokensGone,
} from './executions.errors.js';
import { SubmissionCache } from './submission-cache.js';
import { withCurrentData } from './with-current-data.js';

type Limits = TenantSettings['limits'];

/** Maximum validations of a request while its agent or tenant keeps changing. */
const MAX_ATTEMPTS = 5;

type Accepted = Extract<Submitted, { kind: 'submitted' }>;

/** Accepts new executions and retries of settled ones. Each refusal is an error of the catalogue. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly grounds: SubmissionCache,
    private readonly checkSubmission: CheckSubmission,
    private readonly attachedFiles: AttachedFiles,
    private readonly submitExecution: SubmitExecution,
    private readonly executions: ExecutionStore,
  ) {}

  /**
   * The accepted execution, or the current state of the one that this request created before under its idempotency key.
   * Cached data decides first; a refusal or outdated cache is re-evaluated on stored data.
   */
  async submit(given: SubmitCommand): Promise<Accepted> {
    const resolved = namesFiles(given.request.additional_data) ? await this.withFiles(given) : given;
    if ('view' in resolved) return resolved;
    const command = resolved;
    const { tenantId, agentId, request } = command;
    if (request.agent_version !== undefined) return this.submitVersion(command, request.agent_version);
    const kept = this.grounds.findKept(tenantId, agentId);
    const submitted = kept && (await this.submitByKept(command, kept));
    return submitted ?? (await this.submitByStored(command));
  }

  /** Adds the metadata of attached files; where one is gone, answers an execution accepted earlier under the same key. */
  private async withFiles(command: SubmitCommand): Promise<SubmitCommand | Accepted> {
    const { tenantId, request, idempotency } = command;
    try {
      const additional_data = await this.attachedFiles.resolve(tenantId, request.additional_data);
      return { ...command, request: { ...request, additional_data } };
    } catch (error) {
      const earlier = idempotency && (await this.submitExecution.findEarlier({ tenantId, idempotency }));
      if (earlier?.kind === 'submitted') return toAccepted(earlier);
      throw error;
    }
  }

  /** Requires that the files of a retried request still exist. */
  private async requireFiles(tenantId: string, { additional_data: data }: ExecuteRequest): Promise<void> {
    try {
      await this.attachedFiles.resolve(tenantId, data);
    } catch (error) {
      throw error instanceof InvalidRequestError ? filesGone() : error;
    }
  }

  /** Null if the cached data leads to a refusal, or is outdated. */
  private async submitByKept(command: SubmitCommand, kept: SubmissionGrounds): Promise<Accepted | null> {
    const limits = this.evaluateOrNull(command.request, kept);
    if (limits === null) return null;
    const submitted = await this.submitChecked(command, limits, kept.checkedBy);
    return submitted.kind === 'outdated' ? null : toAccepted(submitted);
  }

  /**
   * Accepts a request that names a version of the agent. Its rows are not compared again at the acceptance; a worker checks
   * them when it begins.
   */
  private async submitVersion(command: SubmitCommand, version: number): Promise<Accepted> {
    const { tenantId, agentId, request } = command;
    const grounds = await this.grounds.readVersion(tenantId, agentId, version);
    if (grounds === null) {
      const agent = await this.grounds.read(tenantId, agentId);
      throw agent?.agent.is_active === true ? unknownAgentVersion() : agentNotFound();
    }
    const submitted = await this.submitChecked(command, this.evaluate(request, grounds), null);
    if (submitted.kind === 'outdated') throw new Error('an acceptance without marks was outdated');
    return toAccepted(submitted);
  }

  private async submitByStored(command: SubmitCommand): Promise<Accepted> {
    for (let attempt = 1; ; attempt += 1) {
      const grounds = await this.grounds.read(command.tenantId, command.agentId);
      if (grounds === null) throw agentNotFound();
      const limits = this.evaluate(command.request, grounds);
      // The last attempt skips the version check, so that constant changes cannot block a submission.
      const checkedBy = attempt < MAX_ATTEMPTS ? grounds.checkedBy : null;
      const submitted = await this.submitChecked(command, limits, checkedBy);
      if (submitted.kind !== 'outdated') return toAccepted(submitted);
    }
  }

  private evaluateOrNull(request: ExecuteRequest, kept: SubmissionGrounds): Limits | null {
    try {
      return this.evaluate(request, kept);
    } catch {
      return null;
    }
  }

  /** Answers the tenant's limits. Throws the fault of an invalid request. */
  private evaluate(request: ExecuteRequest, grounds: SubmissionGrounds): Limits {
    const limits = requireStanding(grounds, request);
    this.checkSubmission.execute(grounds, request);
    return limits;
  }

  private submitChecked(
    command: SubmitCommand,
    { queued_executions: mostQueued }: Limits,
    checkedBy: PassedChecks['checkedBy'],
  ): Promise<Submitted> {
    return this.submitExecution.execute(command, { mostQueued, checkedBy });
  }

  /**
   * Submits the request of a settled execution again, as the next turn of its conversation; the old one stays unchanged. A
   * known idempotency key answers the execution that it created. Throws `NOT_FOUND`, `NOT_SETTLED`, `ALREADY_COMPLETED`
   * without confirmation, and `TOKENS_EXPIRED` for missing tokens.
   */
  async retry(
    tenantId: string,
    executionId: string,
    { tokens = {}, even_if_completed: isMeant }: RetryRequestDto,
    idempotency: SubmitCommand['idempotency'],
  ): Promise<Accepted> {
    const earlier = idempotency && (await this.submitExecution.findEarlier({ tenantId, idempotency }));
    if (earlier !== null && earlier.kind !== 'outdated') return toAccepted(earlier);
    const past = await findRepeatable(this.executions, tenantId, executionId);
    if (past.kind === 'not_found') throw executionNotFound();
    if (past.kind === 'not_settled') throw notSettled();
    if (past.isCompleted && !isMeant) throw alreadyCompleted();
    const gone = past.tokenNames.filter((name) => !Object.hasOwn(tokens, name));
    if (gone.length > 0) throw tokensGone(gone);
    const request = { ...past.request, tokens };
    await this.requireFiles(tenantId, request);
    return this.submit({ tenantId, agentId: past.agentId, request, idempotency });
  }
}

function toAccepted(submitted: Exclude<Submitted, { kind: 'outdated' }>): Accepted {
  if (submitted.kind === 'submitted') return { ...submitted, view: withCurrentData(submitted.view) };
  throw submissionRefused(submitted);
}
