import { ToolInvoker, type ToolAnswer, type ToolInvocation } from '#libs/agent-core';
import { toStorableText } from '#libs/kernel';
import { bakedDataSchema } from '#libs/payloads';
import type { Claim } from '#libs/persistence';
import type { Logger } from '#libs/observability';
import {
  FAILED_CALL_TEXT,
  maxOutputBytesOf,
  onUnknownOf,
  readToolReturn,
  UNKNOWN_OUTCOME_ADVICE_TEXT,
  UNKNOWN_OUTCOME_TEXT,
  unknownToolText,
  type ToolCatalogue,
  type ToolDefinition,
} from '#libs/tooling';
import type { FileDelivery } from './file-delivery.js';

const LONGEST_ERROR = 2_000;

/** Runs the tools of the catalogue for one claimed execution. */
export class CatalogueToolInvoker extends ToolInvoker {
  constructor(
    private readonly catalogue: ToolCatalogue,
    private readonly claim: Claim,
    private readonly files: FileDelivery,
    private readonly logger: Logger,
  ) {
    super();
  }

  override async invoke(invocation: ToolInvocation, signal: AbortSignal): Promise<ToolAnswer | null> {
    const tool = this.catalogue.find(invocation.toolName);
    if (!tool)
      return { outcome: { status: 'refused', output: unknownToolText(invocation.toolName) }, files: [] };
    try {
      return await this.read(tool, await this.run(tool, invocation, signal));
    } catch (error) {
      if (signal.aborted) return tool.effect === 'unsafe' ? unknownOutcome(tool) : null;
      this.logger.error({ err: error, tool: tool.name, executionId: this.claim.executionId }, 'tool failed');
      // Whoever gives up waiting for a side effect cannot know whether it took place.
      if (error instanceof ToolTimeout && tool.effect === 'unsafe') return unknownOutcome(tool);
      return { outcome: { status: 'failed', output: FAILED_CALL_TEXT, error: describe(error) }, files: [] };
    }
  }

  private async run(tool: ToolDefinition, invocation: ToolInvocation, signal: AbortSignal): Promise<unknown> {
    const { tenantId, executionId } = this.claim;
    const stop = AbortSignal.any([signal, AbortSignal.timeout(tool.timeoutMs)]);
    const callKey = `${executionId}.${invocation.round}.${invocation.position}`;
    const running = tool.run(invocation.input, { tenantId, executionId, callKey, signal: stop });
    return Promise.race([running, rejectWhenAborted(stop, tool)]);
  }

  private async read(tool: ToolDefinition, returned: unknown): Promise<ToolAnswer> {
    const { output, result, deliveries, bake, staged } = readToolReturn(returned, maxOutputBytesOf(tool));
    const baked = bake === undefined ? undefined : bakedDataSchema.parse(bake);
    return {
      outcome: {
        status: 'succeeded',
        output,
        result,
        ...(baked !== undefined && { baked }),
        ...(staged.length > 0 && { staged }),
      },
      files: await this.files.open(this.claim.tenantId, deliveries),
    };
  }
}

class ToolTimeout extends Error {
  override readonly name = 'ToolTimeout';
}

function unknownOutcome(tool: ToolDefinition): ToolAnswer {
  const output = onUnknownOf(tool) === 'inform' ? UNKNOWN_OUTCOME_ADVICE_TEXT : UNKNOWN_OUTCOME_TEXT;
  return { outcome: { status: 'outcome_unknown', output }, files: [] };
}

/** A tool that ignores its signal is left behind; its late answer counts for nothing. */
function rejectWhenAborted(signal: AbortSignal, tool: ToolDefinition): Promise<never> {
  const late = new ToolTimeout(
    `the tool "${tool.name}" did not answer within ${tool.timeoutMs} ms, or was told to stop`,
  );
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(late);
    else
      signal.addEventListener(
        'abort',
        () => {
          reject(late);
        },
        { once: true },
      );
  });
}

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return toStorableText(text).slice(0, LONGEST_ERROR);
}
