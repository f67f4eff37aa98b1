import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { publint } from 'publint';
import { filesNamed } from '../../scripts/build/copy-documents.ts';
import { RIGHT_PROGRAMS } from './package-programs/right-programs.js';
import { WRONG_PROGRAMS } from './package-programs/wrong-programs.js';
import { LINTER_TIME_LIMIT_MS } from './linter-time-limit.js';
import { ROOT } from './repository-files.js';

const PACKAGE = join(ROOT, 'packages/capstan');
/** Compiler options of a user’s project. */
const STRICT = {
  compilerOptions: {
    ...{ strict: true, noUncheckedIndexedAccess: true, noEmit: true, skipLibCheck: true },
    ...{ target: 'ES2024', module: 'NodeNext', moduleResolution: 'NodeNext', types: ['node'] },
  },
};
/** Packages that the user’s project has beside it. */
const BESIDE = ['@types', 'undici-types', 'csstype', 'react', 'zod', 'commander', 'yaml'];

let folder: string;
let installed: string;

/** Compiles each program of a folder; returns what the compiler says, by program. */
async function compile(
  name: string,
  programs: Readonly<Record<string, string>>,
): Promise<Map<string, string>> {
  const project = join(folder, name);
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"type": "module"}');
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(STRICT));
  for (const [program, text] of Object.entries(programs))
    await writeFile(join(project, `${program}.ts`), text);
  const { stdout } = await execa('tsc', ['-p', project, '--pretty', 'false'], {
    preferLocal: true,
    localDir: ROOT,
    reject: false,
    cwd: project,
  });
  const said = new Map<string, string>();
  for (const line of stdout.split('\n')) {
    const program = /^([\w-]+)\.ts\(/.exec(line)?.[1] ?? [...said.keys()].at(-1) ?? '';
    if (line !== '') said.set(program, `${said.get(program) ?? ''}${line}\n`);
  }
  return said;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capstan-package-'));
  await execa('npm', ['run', '--silent', 'build:package'], { cwd: ROOT });
  const { stdout } = await execa('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: PACKAGE });
  await execa('tar', ['-xzf', join(folder, stdout.trim()), '-C', folder]);
  installed = join(folder, 'node_modules/capstan');
  await mkdir(join(folder, 'node_modules'));
  await symlink(join(folder, 'package'), installed);
  for (const name of BESIDE)
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
}, LINTER_TIME_LIMIT_MS);
afterAll(() => rm(folder, { recursive: true }));

describe('the packed package', () => {
  it('has nothing in it that publint finds wrong', async () => {
    const { messages } = await publint({ pkgDir: PACKAGE, pack: 'npm', level: 'suggestion' });
    expect(messages).toEqual([]);
  });

  it('has its licence and README, and neither sources nor specs', async () => {
    const files = await readdir(installed, { recursive: true });
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    expect(files.filter((file) => /(?<!\.d)\.ts$|\.spec\./.test(file))).toEqual([]);
    expect(await readFile(join(installed, 'LICENSE'), 'utf8')).toBe(
      await readFile(join(ROOT, 'LICENSE'), 'utf8'),
    );
  });

  it('names files in llms.txt that it has, and brings the documents along', async () => {
    const named = filesNamed(await readFile(join(installed, 'llms.txt'), 'utf8'));
    expect(named.length).toBeGreaterThanOrEqual(15);
    const files = await readdir(installed, { recursive: true });
    expect(named.filter((file) => !files.includes(file))).toEqual([]);
  });

  it('can be imported, and its program starts', async () => {
    const program = `import { Capstan } from 'capstan/client'; console.log(typeof new Capstan().executions.follow)`;
    await writeFile(join(folder, 'import.mjs'), program);
    expect((await execa('node', [join(folder, 'import.mjs')])).stdout).toBe('function');
    const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect((await execa('node', [join(installed, 'dist/cli.js'), '--version'])).stdout).toBe(version);
  });

  it(
    'has types that right programs compile with',
    async () => {
      expect(Object.keys(RIGHT_PROGRAMS).length).toBeGreaterThanOrEqual(20);
      expect(await compile('right', RIGHT_PROGRAMS)).toEqual(new Map());
    },
    LINTER_TIME_LIMIT_MS,
  );

  it(
    'has types that name the mistakes of wrong programs',
    async () => {
      const programs = Object.entries(WRONG_PROGRAMS);
      const said = await compile(
        'wrong',
        Object.fromEntries(programs.map(([name, { text }]) => [name, text])),
      );
      const unnamed = programs.filter(([name, { message }]) => said.get(name)?.includes(message) !== true);
      expect(unnamed.map(([name]) => `${name}: ${said.get(name) ?? 'compiles'}`)).toEqual([]);
    },
    LINTER_TIME_LIMIT_MS,
  );
});
