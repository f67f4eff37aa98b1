import { describe, expect, it } from '@jest/globals';
import { loopParametersSchema } from '#libs/payloads';
import { STRATEGIES } from '#libs/policy';

/** Payloads and policy are strangers, so what both say of strategies is held together here. */
describe('what a request may say of strategies', () => {
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

  it.each([0, 31, 1.5, '6'])('refuses %j iterations (S1-57)', (maximum_iterations) => {
    expect(loopParametersSchema.safeParse({ maximum_iterations }).success).toBe(false);
  });
});
