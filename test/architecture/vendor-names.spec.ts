import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { modelProviders } from '#libs/model-providers';

const ROOT = join(import.meta.dirname, '..', '..');

/** Whoever stands above the providers asks the registry, and names none of them. */
const ABOVE = ['libs/agent-core', 'libs/executions', 'apps/api', 'apps/worker'];
/** Vendors of models, and the names by which model configurations know their providers. */
const VENDORS = [
  'openai',
  'gpt',
  'claude',
  'anthropic',
  'gemini',
  'mistral',
  'vllm',
  'ollama',
  'litellm',
  ...modelProviders.ids,
];

function sourcesOf(folder: string): string[] {
  const source = join(ROOT, folder, 'src');
  if (!existsSync(source)) return [];
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => join(source, name));
}

function namedIn(text: string): string[] {
  const lower = text.toLowerCase();
  return VENDORS.filter((vendor) => lower.includes(vendor));
}

describe('names of model vendors', () => {
  it.each(ABOVE)('stand nowhere in %s', (folder) => {
    const found = sourcesOf(folder).flatMap((file) =>
      namedIn(readFileSync(file, 'utf8')).map((vendor) => `${file.slice(ROOT.length)}: ${vendor}`),
    );
    expect(found).toEqual([]);
  });

  it('would be found', () => expect(namedIn("provider: 'OpenAI'")).toContain('openai'));
});
