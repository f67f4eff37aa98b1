import type { AgentChange, AgentFields, AgentView, UsecaseType, Versioned } from '#libs/persistence';
import { assertNever } from '#libs/kernel';
import { otherVersion } from '../http/entity-tag.js';
import type { AgentFieldsDto, AgentPatchDto, AgentWarning } from './agent.dto.js';
import { agentNotFound, llmNotFound, unsupportedUsecaseType } from './agent.faults.js';

/** The types of usecase that this release can run (S3-1). */
const IMPLEMENTED: readonly UsecaseType[] = ['BASIC_CHAT'];

/** The type as one that can run. Throws `UNSUPPORTED_USECASE_TYPE` (S3-30). */
export function requireImplemented(text: string): UsecaseType {
  const type = IMPLEMENTED.find((implemented) => implemented === text);
  if (type === undefined) throw unsupportedUsecaseType();
  return type;
}

/** The agent as it is after a change. Throws where there was none. */
export function requireChanged(change: AgentChange): Versioned<AgentView> {
  switch (change.kind) {
    case 'changed':
      return change;
    case 'not_found':
      throw agentNotFound();
    case 'other_version':
      throw otherVersion();
    case 'llm_not_found':
      throw llmNotFound();
    default:
      return assertNever(change);
  }
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

/** An agent as a change of it is answered. */
export type WrittenAgent = AgentView & { readonly warnings?: readonly AgentWarning[] };

export function withWarnings(
  { view, version }: Versioned<AgentView>,
  warnings: readonly AgentWarning[],
): Versioned<WrittenAgent> {
  return { view: warnings.length === 0 ? view : { ...view, warnings }, version };
}
