/** Why a call was not run. Stored in journals: a name is never given another meaning, and new ones are new vocabulary. */
export const REFUSAL_REASONS = [
  /** Not JSON, none of the options, or not what the tool's schema asks for. */
  'invalid_arguments',
  /** The agent has no such tool. */
  'unknown_tool',
  /** An equal call of the run failed before. */
  'repeated_failure',
  /** An equal call of the run may have taken effect. */
  'repeated_unknown',
  /** It was asked for in the last permitted round. */
  'iteration_limit',
  /** It is one of too many of its round. */
  'round_call_limit',
  /** It is one of too many of its execution. */
  'execution_call_limit',
  /** A person said no. */
  'denied',
  /** The execution was over before its turn came. */
  'too_late',
  /** It would call an agent from too deep inside. */
  'agent_depth_limit',
  /** It is one agent too many of its execution. */
  'agent_call_limit',
  /** The agent cannot be called: it is gone, inactive, or not usable. */
  'agent_unusable',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];
