import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LoadedService } from './loaded-service.js';

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve('@readme/oas-examples/package.json'));

/** Published third-party descriptions. */
const DOCUMENTS = ['2.0', '3.0', '3.1'].flatMap((version) =>
  readdirSync(join(folder, version, 'json'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ version, name: file.slice(0, -'.json'.length) })),
);

const load = (version: string, name: string, kind: 'json' | 'yaml'): LoadedService =>
  new LoadedService(readFileSync(join(folder, version, kind, `${name}.${kind}`), 'utf8'));

const toolsOf = (loaded: LoadedService): unknown[] =>
  loaded.service.operations.map((operation) => {
    const { inputSchema } = loaded.prepare(operation).arguments;
    return [operation.name, operation.effect, operation.description, inputSchema];
  });

describe('descriptions that others publish', () => {
  it('are many', () => {
    expect(DOCUMENTS.length).toBeGreaterThan(40);
  });

  it.each(DOCUMENTS)('$version $name: every operation is a tool that can be called', ({ version, name }) => {
    const loaded = load(version, name, 'json');
    const tools = toolsOf(loaded);
    expect(loaded.service.faults).toEqual([]);
    expect(new Set(loaded.service.operations.map((operation) => operation.name)).size).toBe(tools.length);
    for (const operation of loaded.service.operations)
      expect(() => loaded.prepare(operation).readInput({})).not.toThrow();
  });

  it.each(['petstore', 'security', 'file-uploads', 'polymorphism'])('%s is the same in YAML', (name) => {
    expect(toolsOf(load('3.0', name, 'yaml'))).toEqual(toolsOf(load('3.0', name, 'json')));
  });
});
