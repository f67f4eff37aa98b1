import type { JsonObject, JsonValue } from '#libs/kernel';
import {
  asText,
  fillJson,
  fillText,
  holds,
  MAX_FILLED_CHARS,
  type OutputFormat,
  type ValidationRule,
} from '#libs/policy';
import type { ExecutionOutcome } from '../journal-entry.js';
import { lastValue, type SettledStep } from './step-state.js';
import type { PipelineRules } from './pipeline-rules.js';
import type { StepData } from './step-data.js';

/**
 * The outcome of a pipeline after its last step: the formatted answer, or a failure if a validation rule is broken.
 * Pure.
 */
export function endPipeline(
  { output_format: format = 'text', validation_rules: rules = [] }: PipelineRules,
  steps: readonly SettledStep[],
  { values }: StepData,
): ExecutionOutcome {
  const answer = composeAnswer(format, steps, values);
  if (answer === undefined) return invalid(`the answer is longer than ${MAX_FILLED_CHARS} characters`);
  const broken = rules.find((rule) => isBroken(rule, { ...values, answer }));
  if (broken === undefined)
    return { status: 'completed', text: isJson(format) ? JSON.stringify(answer) : asText(answer) };
  return invalid(`the answer does not keep to a rule: ${broken.message}`);
}

function invalid(message: string): ExecutionOutcome {
  return { status: 'failed', error: { code: 'OUTPUT_INVALID', message } };
}

/** Undefined if the answer would exceed the length limit. */
function composeAnswer(
  format: OutputFormat,
  steps: readonly SettledStep[],
  values: JsonObject,
): JsonValue | undefined {
  if (format === 'text') return asText(lastValue(steps));
  if (format === 'json') return lastValue(steps) ?? null;
  return 'text' in format ? fillText(format.text, values) : fillJson(format.json, values);
}

function isJson(format: OutputFormat): boolean {
  return format === 'json' || (typeof format === 'object' && 'json' in format);
}

function isBroken({ when, require }: ValidationRule, data: JsonObject): boolean {
  return (when === undefined || holds(when, data)) && !holds(require, data);
}
