/**
 * Reasons to refuse a call. Stored in journals: names keep their meaning, and new ones extend the journal's vocabulary.
 */
export const REFUSAL_REASONS = [
  /** Not JSON, not among the options, or not valid by the tool's schema. */
  'invalid_arguments',
  /** The agent has no such tool. */
  'unknown_tool',
  /** An equal call of the run failed before. */
  'repeated_failure',
  /** An equal call of the run may have taken effect. */
  'repeated_unknown',
  /** The call belongs to the last permitted round. */
  'iteration_limit',
  /** The round exceeds its call limit. */
  'round_call_limit',
  /** The execution exceeds its call limit. */
  'execution_call_limit',
  /** A person denied approval. */
  'denied',
  /** The execution ended before the call started. */
  'too_late',
  /** The agent would be nested too deeply. */
  'agent_depth_limit',
  /** The execution exceeds its limit of agent calls. */
  'agent_call_limit',
  /** The agent is deleted, inactive or unusable. */
  'agent_unusable',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];
