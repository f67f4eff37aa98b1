import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loopParametersSchema } from '#libs/payloads';
import { STRATEGIES, strategyDescriptionSchema } from '#libs/policy';

const LIBS = join(import.meta.dirname, '..', '..', 'libs');

describe('the strategies', () => {
  it('are declared in one catalogue, which is checked when the process starts (S0-1, S0-2, S1-49)', () => {
    expect(STRATEGIES.map((strategy) => strategyDescriptionSchema.parse(strategy))).toEqual(STRATEGIES);
  });

  it.each([
    ['catalogue', 'policy/src/strategies.ts'],
    ['policy', 'policy/src/build-system-instruction.ts'],
    ['prompt templates', 'policy/src/default-policies.ts'],
    ['tooling', 'tooling/src/parse-tool-arguments.ts'],
    ['flow', 'agent-core/src/run-agent-loop.ts'],
    ['loop', 'agent-core/src/decide-next-action.ts'],
    ['display', 'agent-core/src/display/display-stream.ts'],
  ])('have a place of its own for each duty: %s (S0-3, S0-5, S1-48)', (_duty, file) => {
    expect(existsSync(join(LIBS, file))).toBe(true);
  });
});

/** `payloads` and `policy` do not know each other, so this test keeps their lists of strategies equal. */
describe('strategy parameters of a request', () => {
  it.each(STRATEGIES.map(({ name }) => name))('names %s as the catalogue does (S0-4, S1-50)', (strategy) => {
    expect(loopParametersSchema.parse({ strategy }).strategy).toBe(strategy);
  });

  it('names no other', () => {
    expect(loopParametersSchema.safeParse({ strategy: 'gpt5' }).success).toBe(false);
  });

  it.each(['maximum_iterations', 'emit_intermediate_thoughts'] as const)(
    'has the default of the catalogue for %s (S1-77)',
    (name) => {
      const parameter = STRATEGIES[0]?.parameters.find((candidate) => candidate.name === name);
      expect(loopParametersSchema.parse({})[name]).toBe(
        parameter && 'default' in parameter ? parameter.default : undefined,
      );
    },
  );

  it.each([0, 1.5, '6'])('refuses %j iterations (S1-57)', (maximum_iterations) => {
    expect(loopParametersSchema.safeParse({ maximum_iterations }).success).toBe(false);
  });
});
