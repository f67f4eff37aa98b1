import type { JsonObject, JsonValue } from '#libs/kernel';
import { asText, fillJson, fillText, holds, type OutputFormat, type ValidationRule } from '#libs/policy';
import type { ExecutionOutcome } from '../journal-entry.js';
import { lastValue } from './last-output.js';
import type { PipelineRules } from './pipeline-rules.js';
import type { StepData } from './step-data.js';
import type { SettledStep } from './step-state.js';

/** How a pipeline ends whose steps are all over: its answer, in its format, if what has to hold of it does. Pure. */
export function endPipeline(
  { output_format: format = 'text', validation_rules: rules = [] }: PipelineRules,
  steps: readonly SettledStep[],
  { values }: StepData,
): ExecutionOutcome {
  const answer = composeAnswer(format, steps, values);
  const broken = rules.find((rule) => isBroken(rule, { ...values, answer }));
  if (broken === undefined)
    return { status: 'completed', text: isJson(format) ? JSON.stringify(answer) : asText(answer) };
  const message = `the answer does not keep to a rule: ${broken.message}`;
  return { status: 'failed', error: { code: 'OUTPUT_INVALID', message } };
}

function composeAnswer(format: OutputFormat, steps: readonly SettledStep[], values: JsonObject): JsonValue {
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
