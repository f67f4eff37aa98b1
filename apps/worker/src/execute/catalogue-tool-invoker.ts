import { ToolInvoker, type ToolCallOutcome, type ToolInvocation } from '#libs/agent-core';
import { toStorableJson, toStorableText } from '#libs/kernel';
import { bakedDataSchema } from '#libs/payloads';
import type { Claim } from '#libs/persistence';
import type { Logger } from '#libs/observability';
import type { StagedChange, ToolCatalogue, ToolDefinition, ToolReturn } from '#libs/tooling';
import { z } from 'zod';

/** What the model and clients are told of an exception (S0-37); the reason stays with the operators. */
const FAILED_TEXT = 'tool invoke error: failed to execute tool';
const LONGEST_ERROR = 2_000;

const toolReturnSchema = z.object({
  result: z.looseObject({ status: z.enum(['success', 'error']), result: z.looseObject({}) }),
  bake: bakedDataSchema.optional(),
  staged: z.array(z.object({ kind: z.string(), data: z.record(z.string(), z.unknown()) })).optional(),
});

/** Runs the tools of the catalogue for one claimed execution. */
export class CatalogueToolInvoker extends ToolInvoker {
  constructor(
    private readonly catalogue: ToolCatalogue,
    private readonly claim: Claim,
    private readonly logger: Logger,
  ) {
    super();
  }

  override async invoke(invocation: ToolInvocation, signal: AbortSignal): Promise<ToolCallOutcome | null> {
    const tool = this.catalogue.find(invocation.toolName);
    if (!tool) return { status: 'refused', output: `there is not a tool named ${invocation.toolName}` };
    try {
      return toOutcome(await this.run(tool, invocation, signal));
    } catch (error) {
      if (signal.aborted) return tool.effect === 'unsafe' ? unknownOutcome() : null;
      this.logger.error({ err: error, tool: tool.name, executionId: this.claim.executionId }, 'tool failed');
      return { status: 'failed', output: FAILED_TEXT, error: describe(error) };
    }
  }

  private async run(
    tool: ToolDefinition,
    invocation: ToolInvocation,
    signal: AbortSignal,
  ): Promise<ToolReturn> {
    const { tenantId, executionId } = this.claim;
    const stop = AbortSignal.any([signal, AbortSignal.timeout(tool.timeoutMs)]);
    const callKey = `${executionId}.${invocation.round}.${invocation.position}`;
    const running = tool.run(invocation.input, { tenantId, executionId, callKey, signal: stop });
    return Promise.race([running, rejectWhenAborted(stop, tool)]);
  }
}

/** A tool that ignores its signal is left behind; its late answer counts for nothing. */
function rejectWhenAborted(signal: AbortSignal, tool: ToolDefinition): Promise<never> {
  const late = new Error(
    `the tool "${tool.name}" did not answer within ${tool.timeoutMs} ms, or was told to stop`,
  );
  return new Promise((_resolve, reject) => {
    if (signal.aborted) return reject(late);
    signal.addEventListener('abort', () => reject(late), { once: true });
  });
}

function toOutcome(returned: ToolReturn): ToolCallOutcome {
  const parsed = toolReturnSchema.parse(returned);
  const result = toStorableJson(parsed.result);
  return {
    status: 'succeeded',
    output: JSON.stringify(result),
    result,
    ...(parsed.bake !== undefined && { baked: parsed.bake }),
    ...(parsed.staged !== undefined && { staged: parsed.staged.map(toStorableChange) }),
  };
}

function toStorableChange(change: { kind: string; data: Record<string, unknown> }): StagedChange {
  return { kind: change.kind, data: toStorableJson(change.data) as StagedChange['data'] };
}

function unknownOutcome(): ToolCallOutcome {
  return { status: 'outcome_unknown', output: 'it is not known whether this call took effect' };
}

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return toStorableText(text).slice(0, LONGEST_ERROR);
}
