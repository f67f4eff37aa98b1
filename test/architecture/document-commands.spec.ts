import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PROGRAM_NAMES, programFile } from '../../scripts/build/programs.ts';
import { fencedBlocks, shellBlocks, type ShellBlock } from '../support/documents/shell-blocks.js';
import { exists, filesUnder, ROOT } from './repository-files.js';

const documents = filesUnder('.').filter(({ path }) => path.endsWith('.md'));
const blocks = documents.flatMap(({ path, text }) => shellBlocks(path, text));
const scripts = Object.keys(
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
    .scripts,
);
/** The words that may stand behind `sh`, as CONTRIBUTING.md explains them. */
const explained =
  readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split('\n## Commands in documents\n')[1] ?? '';
const words = [...explained.matchAll(/^\| `(\w+)`/gm)].map(([, word = '']) => word);

const BUILT = /\bdist\/[\w./-]+\.js\b/g;
const PROGRAM_FILES: readonly string[] = PROGRAM_NAMES.map(programFile);
const NAMED = /(?<![\w./$-])((?:apps|libs|test|scripts|docs|examples|bench|k8s)\/[\w./-]*\w)/g;
const LOOKS_LIKE_A_COMMAND = /^\s*(?:\$ )?(?:curl|npm|npx|node|docker|kubectl|helm|export|psql) /m;

/** Faults of a shell block that are found without running the block. */
function faultsOf({ text, word }: ShellBlock): string[] {
  const parsed = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
  const missingScripts = [...text.matchAll(/\bnpm run ([\w:-]+)/g)].filter(
    ([, name = '']) => !scripts.includes(name),
  );
  const missingFiles = [...text.matchAll(NAMED)].filter(([, path = '']) => !exists(path));
  const missingPrograms = [...text.matchAll(BUILT)].filter(([path]) => !PROGRAM_FILES.includes(path));
  return [
    ...(parsed.status === 0 ? [] : [parsed.stderr.trim()]),
    ...[...text.matchAll(/\bnode ([\w./-]+\.ts)\b/g)].map(
      ([, path]) => `${path} needs Node 22.18, which npm run example brings`,
    ),
    ...missingScripts.map(([command]) => `there is no ${command}`),
    ...[...missingFiles, ...missingPrograms].map(([path]) => `there is no ${path}`),
    ...(word === null || words.includes(word) ? [] : [`CONTRIBUTING.md does not explain the word "${word}"`]),
  ];
}

describe('the commands of the documents', () => {
  it('are found, and CONTRIBUTING.md explains why some are not run', () => {
    expect(blocks.filter(({ word }) => word === null).length).toBeGreaterThan(8);
    expect(words.length).toBeGreaterThan(2);
    expect(words.filter((word) => !blocks.some((block) => block.word === word))).toEqual([]);
  });

  it.each(blocks.map((block) => [`${block.document}:${block.line}`, block] as const))(
    'can be read by a shell, and name what is there, in %s',
    (_place, block) => {
      expect(faultsOf(block)).toEqual([]);
    },
  );

  it('stand in blocks of the language sh, and nowhere else', () => {
    const elsewhere = documents.flatMap(({ path, text }) =>
      fencedBlocks(text)
        .filter(({ language, text: inside }) => language === '' && LOOKS_LIKE_A_COMMAND.test(inside))
        .map(({ line }) => `${path}:${line}`),
    );
    expect(elsewhere).toEqual([]);
  });

  it('would be found wrong', () => {
    const text = [
      '```sh wishful',
      'npm run gone -- examples/gone.txt',
      'node examples/chat/chat.ts',
      'node dist/programs/gone.js "',
      '```',
      '````sh',
      "echo '```'",
      '````',
    ].join('\n');
    const [wrong, right] = shellBlocks('a.md', text);
    expect(wrong && faultsOf(wrong)).toEqual([
      expect.stringContaining('unexpected EOF'),
      'examples/chat/chat.ts needs Node 22.18, which npm run example brings',
      'there is no npm run gone',
      'there is no examples/gone.txt',
      'there is no dist/programs/gone.js',
      'CONTRIBUTING.md does not explain the word "wishful"',
    ]);
    expect(right).toMatchObject({ line: 7, text: "echo '```'" });
    expect(right && faultsOf(right)).toEqual([]);
  });
});
