import { AppError, type JsonObject } from '#libs/kernel';
import { mergeOptions, withoutRetrieval, type ParameterRules } from '#libs/payloads';
import { withoutPipeline } from '#libs/policy';
import type { ToolCatalogue } from '#libs/tooling';
import type { z } from 'zod';
import type { Claim } from '../ports/claim-store.js';
import type { StoredContext } from '../ports/stored-context.js';

/**
 * Parameters of model and loop: the request overrides the agent, and the agent overrides the model configuration (S3-26).
 * Retrieval options (3.H-13) and the pipeline are left out, because they are not the model's.
 */
export function parametersOf(claim: Claim, { llm, config, usecaseType }: StoredContext): JsonObject {
  const own = ownOptionsOf(usecaseType);
  return mergeOptions(llm.extra, own(config), own(claim.request.options));
}

function ownOptionsOf(usecaseType: string): (options: JsonObject) => JsonObject {
  if (usecaseType === 'RAG_CHAT') return withoutRetrieval;
  return usecaseType === 'CUSTOM' ? withoutPipeline : (options) => options;
}

/**
 * Retrieval options of the request and the agent. The model configuration is left out, even where a parameter of it has
 * the same name.
 */
export function retrievalOptionsOf({ request }: Claim, { config }: StoredContext): JsonObject {
  return mergeOptions(config, request.options);
}

/** Throws if a tool was removed after the agent was saved; it must not silently disappear. */
export function assertThere(names: readonly string[], catalogue: ToolCatalogue): void {
  const missing = names.filter((name) => !catalogue.knows(name));
  if (missing.length > 0) throw unusableOptions(missing.map((name) => `there is no tool named ${name}`));
}

/** Validates parameters by the rules of the model's provider before any request is sent. */
export function assertReadable(parameters: JsonObject, understood: ParameterRules): void {
  const faults = understood.findFaults(parameters).map(({ field, message }) => `${field}: ${message}`);
  if (faults.length > 0) throw unusableOptions(faults);
}

export function parseParameters<T>(schema: z.ZodType<T>, parameters: unknown): T {
  const parsed = schema.safeParse(parameters);
  if (parsed.success) return parsed.data;
  throw unusableOptions(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
}

export function unusableOptions(faults: readonly string[]): AppError {
  return new AppError({
    code: 'VALIDATION_ERROR',
    kind: 'invalid_input',
    message: `the options are not usable: ${faults.join('; ')}`,
  });
}
