import { AppError, type JsonObject } from '#libs/kernel';
import { mergeOptions, withoutRetrieval, type ParameterRules } from '#libs/payloads';
import { withoutPipeline } from '#libs/policy';
import type { ToolCatalogue } from '#libs/tooling';
import type { z } from 'zod';
import type { Claim } from '../ports/claim-store.js';
import type { StoredContext } from '../ports/stored-context.js';

/**
 * What steers the model and the loop: what a request asks for wins over its agent, and that over the configuration of the
 * model (S3-26). What steers the retrieval of an agent is not the model's (3.H-13), nor is its pipeline.
 */
export function parametersOf(claim: Claim, { llm, config, usecaseType }: StoredContext): JsonObject {
  const own = ownOptionsOf(usecaseType);
  return mergeOptions(llm.extra, own(config), own(claim.request.options));
}

function ownOptionsOf(usecaseType: string): (options: JsonObject) => JsonObject {
  if (usecaseType === 'RAG_CHAT') return withoutRetrieval;
  return usecaseType === 'CUSTOM' ? withoutPipeline : (options) => options;
}

/** What steers the retrieval. A model configuration says nothing of it, whatever parameter it has of such a name. */
export function retrievalOptionsOf({ request }: Claim, { config }: StoredContext): JsonObject {
  return mergeOptions(config, request.options);
}

/** A tool that has vanished since the agent was written is never silently left out. */
export function assertThere(names: readonly string[], catalogue: ToolCatalogue): void {
  const missing = names.filter((name) => !catalogue.knows(name));
  if (missing.length > 0) throw unusableOptions(missing.map((name) => `there is no tool named ${name}`));
}

/** By the reader that builds the request, before anything is asked. */
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
