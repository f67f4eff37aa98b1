import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';

export interface TextInFile {
  readonly path: string;
  readonly text: string;
}

/** Names of the rules that each text breaks in a file at its path. */
export function lintTexts(questions: readonly TextInFile[]): readonly (readonly string[])[] {
  const printed = execFileSync(process.execPath, [join(import.meta.dirname, 'lint-texts-program.mjs')], {
    input: JSON.stringify(questions),
    encoding: 'utf8',
  });
  return z.array(z.array(z.string())).parse(JSON.parse(printed));
}
