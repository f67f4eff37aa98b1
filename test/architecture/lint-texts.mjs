/**
 * Reads `[{"path", "text"}, …]` from standard input and prints, in the same order, which rules complain when each text
 * stands in the file at its path. A process of its own: the type checker behind typed rules leaves timers running.
 */
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { ESLint } from 'eslint';

const root = join(import.meta.dirname, '../..');
const eslint = new ESLint({ cwd: root });
const answers = [];
for (const { path, text } of await json(process.stdin)) {
  const [result] = await eslint.lintText(text, { filePath: join(root, path) });
  answers.push([...new Set(result.messages.map((message) => message.ruleId ?? message.message))]);
}
process.stdout.write(JSON.stringify(answers), () => process.exit(0));
