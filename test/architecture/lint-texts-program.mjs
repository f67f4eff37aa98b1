/**
 * Reads `[{"path", "text"}, …]` from standard input and prints, in the same order, the rules that each text breaks in a
 * file at its path. ESLint gets the path as an option. Oxlint's typed rules need a real file: it is written to a temporary
 * directory with links to the packages and libraries, and its path does not matter to these rules.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { ESLint } from 'eslint';

const root = join(import.meta.dirname, '../..');

const askEslint = async (questions) => {
  const eslint = new ESLint({ cwd: root });
  const answers = [];
  for (const { path, text } of questions) {
    const [result] = await eslint.lintText(text, { filePath: join(root, path) });
    answers.push(result.messages.map((message) => message.ruleId ?? message.message));
  }
  return answers;
};

/** Returns the broken rules of each text under their names in `.oxlintrc.json`, for example `typescript/no-deprecated`. */
const askOxlint = (directory, questions) => {
  for (const name of ['node_modules', 'libs']) symlinkSync(join(root, name), join(directory, name));
  for (const name of ['package.json', 'tsconfig.json', '.oxlintrc.json']) {
    copyFileSync(join(root, name), join(directory, name));
  }
  mkdirSync(join(directory, 'test'));
  questions.forEach(({ path, text }, index) => {
    if (path.endsWith('.ts')) writeFileSync(join(directory, `test/${index}.ts`), text);
  });
  const oxlint = join(directory, 'node_modules/.bin/oxlint');
  const { stdout, stderr } = spawnSync(oxlint, ['--format=json', 'test'], {
    cwd: directory,
    encoding: 'utf8',
  });
  if (!stdout.startsWith('{')) throw new Error(`oxlint gave no answer: ${stdout}${stderr}`);
  const answers = questions.map(() => []);
  for (const { filename, code, message } of JSON.parse(stdout).diagnostics) {
    const index = Number(/(\d+)\.ts$/.exec(filename)?.[1]);
    answers[index].push(code?.replace(/^typescript(-eslint)?\((.+)\)$/, 'typescript/$2') ?? message);
  }
  return answers;
};

const questions = await json(process.stdin);
const directory = mkdtempSync(join(tmpdir(), 'lint-texts-'));
try {
  const typed = askOxlint(directory, questions);
  const answers = (await askEslint(questions)).map((rules, index) => [
    ...new Set([...rules, ...typed[index]]),
  ]);
  process.stdout.write(JSON.stringify(answers));
} finally {
  rmSync(directory, { recursive: true });
}
