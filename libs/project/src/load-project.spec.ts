import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Manager } from './domains/manager-database.js';
import { loadProject } from './load-project.js';

const made: string[] = [];

/** Folder of a project with these files. They use the definitions as plain objects, which is all that the kit makes. */
function project(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'project-'));
  made.push(root);
  for (const [path, text] of Object.entries({ 'package.json': '{"type": "module"}', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** No tool runs here. */
const NO_MANAGER: Manager = {
  query: () => Promise.reject(new Error('no database')),
  transaction: () => Promise.reject(new Error('no database')),
};
const ZOD = JSON.stringify(import.meta.resolve('zod'));

function toolFile(name: string): string {
  return `import { z } from ${ZOD};
    export const tool = { kind: 'capstan/tool', name: '${name}', description: 'A tool.', input: z.object({}), effect: 'read', run: () => 1 };`;
}

function agentFile(name: string, tool: string): string {
  return `import { tool } from '../tools/${tool}';
    export default { kind: 'capstan/agent', name: '${name}', instruction: 'Be brief.', tools: [tool] };`;
}

afterAll(() => made.forEach((root) => rmSync(root, { recursive: true })));

describe('loading a project', () => {
  it('loads nothing without a folder', async () => {
    expect(await loadProject(undefined)).toEqual({ domains: [], problems: [] });
    expect(await loadProject('')).toEqual({ domains: [], problems: [] });
  });

  it('loads tools and agents of all its files', async () => {
    const root = project({
      'tools/weather.mjs': toolFile('weather'),
      'agents/guide.mjs': agentFile('guide', 'weather.mjs'),
    });
    const { domains, problems } = await loadProject(root);
    const domain = domains.at(-1);
    expect(problems).toEqual([]);
    expect(domain?.tools({ manager: NO_MANAGER }).map(({ name }) => name)).toEqual(['weather']);
    expect(domain?.agents).toEqual([
      { name: 'guide', usecaseType: 'BASIC_CHAT', systemPrompt: 'Be brief.', tools: ['weather'] },
    ]);
  });

  it('loads TypeScript below a package.json as `npm init` writes it, which names CommonJS', async () => {
    const root = project({
      'package.json': '{"type": "commonjs"}',
      'tools/weather.ts': toolFile('weather'),
      'agents/guide.ts': agentFile('guide', 'weather.ts'),
    });
    const { domains, problems } = await loadProject(root);
    expect(problems).toEqual([]);
    expect(domains.at(-1)?.agents.map(({ name }) => name)).toEqual(['guide']);
  });

  it.each(['../lib/greeting.ts', '../lib/greeting.js', '../lib/greeting'])(
    'finds %s of the project',
    async (path) => {
      const root = project({
        'lib/greeting.ts': `export const greeting: string = 'hello';`,
        'tools/greet.ts': `import { greeting } from '${path}';\n${toolFile('greet')}\nexport const text = greeting;`,
      });
      expect((await loadProject(root)).problems).toEqual([]);
    },
  );

  it('names the file of an import that nothing fits', async () => {
    const root = project({ 'tools/greet.ts': `import './missing.js';\n${toolFile('greet')}` });
    expect((await loadProject(root)).problems).toEqual([
      expect.stringMatching(/^tools\/greet\.ts: Error: Cannot find module .*missing\.js/),
    ]);
  });

  it('leaves out a file that throws, with its line, and the agent that imports it', async () => {
    const root = project({
      'tools/broken.mjs': 'const settings = null;\nexport const tool = settings.key;',
      'tools/weather.mjs': toolFile('weather'),
      'agents/guide.mjs': agentFile('guide', 'weather.mjs'),
      'agents/other.mjs': agentFile('other', 'broken.mjs'),
    });
    const { domains, problems } = await loadProject(root);
    const domain = domains.at(-1);
    expect(problems).toEqual([
      expect.stringMatching(/^agents\/other\.mjs: tools\/broken\.mjs:2: TypeError: Cannot read/),
      expect.stringMatching(/^tools\/broken\.mjs:2: TypeError: Cannot read properties of null/),
    ]);
    expect(domain?.agents.map(({ name }) => name)).toEqual(['guide']);
  });

  it('describes a file without a definition, a second tool of a name, and an agent whose tool is not exported below tools', async () => {
    const root = project({
      'tools/a.mjs': toolFile('find_city'),
      'tools/b.mjs': toolFile('find_city'),
      'tools/c.mjs': toolFile('findCity'),
      'tools/empty.mjs': 'export const nothing = 1;',
      'tools/_hidden.mjs': toolFile('hidden'),
      'tools/odd.mjs': toolFile('a name'),
      'agents/guide.mjs': agentFile('guide', '_hidden.mjs'),
    });
    const { domains, problems } = await loadProject(root);
    const domain = domains.at(-1);
    expect(problems).toEqual([
      expect.stringMatching(/^tools\/empty\.mjs: it exports no tool/),
      'tools/b.mjs: another tool is named "find_city", too',
      'tools/c.mjs: the tool "findCity" reads like the tool "find_city"',
      expect.stringMatching(/^tools\/odd\.mjs: the tool "a name" is not usable: name must be/),
      expect.stringMatching(/^agents\/guide\.mjs: the agent "guide" has tools that are not loaded: "hidden"/),
    ]);
    expect(domain?.tools({ manager: NO_MANAGER }).map(({ name }) => name)).toEqual(['find_city']);
    expect(domain?.agents).toEqual([]);
  });

  it('loads several folders, each with its own tools, and names the folder of a problem', async () => {
    const shop = project({
      'tools/pay.mjs': toolFile('pay'),
      'agents/till.mjs': agentFile('till', 'pay.mjs'),
    });
    const depot = project({ 'tools/store.mjs': toolFile('store'), 'tools/empty.mjs': 'export const a = 1;' });
    const { domains, problems } = await loadProject(`${shop}, ${depot}`);
    expect(problems).toEqual([expect.stringMatching(`^${depot}/tools/empty\\.mjs: it exports no tool`)]);
    const tools = domains.map((domain) => [
      domain.name,
      domain.tools({ manager: NO_MANAGER }).map((tool) => tool.name),
    ]);
    expect(tools).toEqual([
      ['project', ['pay']],
      ['project-2', ['store']],
    ]);
  });

  it('refuses a folder that is not there', async () => {
    await expect(loadProject('/nowhere/at-all')).rejects.toThrow(
      'PROJECT: there is no folder /nowhere/at-all',
    );
  });

  it('says where it has divided a path with a comma', async () => {
    await expect(loadProject('/nowhere/a,b')).rejects.toThrow(
      'PROJECT: there is no folder /nowhere/a (a comma separates two folders)',
    );
  });
});
