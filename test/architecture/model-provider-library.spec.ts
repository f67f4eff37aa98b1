import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const LIBS = join(import.meta.dirname, '..', '..', 'libs');

function sourcesOf(library: string): string {
  const folder = join(LIBS, library, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

describe('models and strategies', () => {
  it.each([
    ['model-providers', '#libs/policy'],
    ['policy', '#libs/model-providers'],
  ])('are apart: %s does not know %s, so that either changes without the other (S1-1)', (library, other) => {
    expect(sourcesOf(library)).not.toContain(other);
  });

  it.each([
    'model-providers/src/openai/predefined-models.ts',
    'model-providers/src/openai/openai-provider.ts',
    'model-providers/src/openai/openai-credentials.ts',
    'model-providers/src/provider/credentials.ts',
    'model-providers/src/calls/client-model.ts',
    'model-providers/src/wire/responses/build-responses-request.ts',
    'model-providers/src/wire/responses/to-responses-input.ts',
  ])('have a place for each duty of the provider: %s (S1-4)', (file) => {
    expect(existsSync(join(LIBS, file))).toBe(true);
  });
});
