import type { AgentFields, AgentStore, UsecaseType } from '#libs/persistence';
import type { AgentFieldsDto, AgentPatchDto } from './agent.dto.js';
import { llmNotFound, unsupportedUsecaseType } from './agent.faults.js';

/** The types of usecase that this release can run (S3-1). */
const IMPLEMENTED: readonly UsecaseType[] = ['BASIC_CHAT'];

/** The type as one that can run. Throws `UNSUPPORTED_USECASE_TYPE` (S3-30). */
export function requireImplemented(text: string): UsecaseType {
  const type = IMPLEMENTED.find((implemented) => implemented === text);
  if (type === undefined) throw unsupportedUsecaseType();
  return type;
}

/** Throws where the tenant has no such model configuration. */
export async function requireLlm(
  agents: Pick<AgentStore, 'llmExists'>,
  tenantId: string,
  llm: number,
): Promise<void> {
  if (!(await agents.llmExists(tenantId, llm))) throw llmNotFound();
}

export function toWholeFields({ usecase_type, ...rest }: AgentFieldsDto): AgentFields {
  return { ...rest, usecase_type: requireImplemented(usecase_type) };
}

/** Only the fields that were given. */
export function toGivenFields({ usecase_type, ...rest }: AgentPatchDto): Partial<AgentFields> {
  const given: Partial<AgentFields> = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  );
  return usecase_type === undefined ? given : { ...given, usecase_type: requireImplemented(usecase_type) };
}
