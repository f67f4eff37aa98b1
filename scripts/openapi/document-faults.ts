import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { operationFaults, type OperationsOfDocument } from './operation-faults.ts';

// Both linters recommend paths without trailing slashes; the contract has them (S3-17).
const SPECTRAL = {
  'path-keys-no-trailing-slash': 'off',
  'oas3-parameter-description': 'warn',
  // It refuses roles of a bearer key, which OpenAPI 3.1 allows; Redocly's `security-defined` holds the names of schemes.
  'oas3-operation-security-defined': 'off',
} as const;
const REDOCLY = { 'no-path-trailing-slash': 'off' } as const;

/**
 * Findings of `spectral:oas`, Redocly's recommended rules and the house rules in an OpenAPI document, one line each;
 * warnings count, too. Both linters run as libraries: they read only the text and send no reports.
 */
export async function documentFaults(text: string): Promise<string[]> {
  const document = JSON.parse(text) as OperationsOfDocument;
  const [spectral, redocly] = await Promise.all([spectralFaults(document), redoclyFaults(text)]);
  return [...operationFaults(document), ...spectral, ...redocly];
}

async function spectralFaults(document: object): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  const published = spectralRulesets.oas as RulesetDefinition;
  spectral.setRuleset({ extends: [[published, 'recommended']], rules: SPECTRAL });
  const results = await spectral.run({ ...document });
  return results
    .filter(({ code, path }) => !isNoSchema(String(code), path))
    .map(({ code, path, message }) => `spectral ${code}: ${path.join('.')}: ${message}`);
}

/** An example with the keys `type` and `default` is mistaken for a schema. */
function isNoSchema(code: string, path: readonly (string | number)[]): boolean {
  return code === 'oas3-valid-schema-example' && path.includes('example');
}

async function redoclyFaults(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: REDOCLY });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems
    .filter(({ ruleId, message }) => !isOfName(ruleId, message))
    .map(
      ({ ruleId, location, message }) =>
        `redocly ${ruleId}: ${location[0]?.pointer ?? ''}: ${message.split('\n', 1)[0] ?? ''}`,
    );
}

/** Paths by name are like those of an id by their text alone: no id, a number or a UUID, is `by-name`. */
function isOfName(ruleId: string, message: string): boolean {
  return ruleId === 'no-ambiguous-paths' && message.includes('/by-name/{name}/');
}
