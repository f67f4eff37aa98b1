import { filesUnder, type RepositoryFile } from './repository-files.js';

const TEXTS = 'docs/contributing/requirements';
const DEFINED = /<a id="[\w-]+"><\/a>(?:\*\*(S\d-\d+|3\.[A-Z]-\d+)\*\*|([LWNK]\d+) )/g;
/** Matches `S1-7`, `3.C-5` and every other text of this form. */
const CITED = /(?<![\w.-])(?:S\d-\d+|3\.[A-Z]-\d+)\b/g;
/** Matches `L4` in folders about failing providers and receivers; elsewhere it means a level of the architecture. */
const CITED_FAULT = /(?<![\w/])[LWNK]\d+\b/g;
const WHERE_OTHERS_FAIL =
  /^(libs\/(model-providers|guarded-fetch|webhooks)|test\/(contract\/model|integration\/webhooks)|apps\/simulator)\//;

/** Numbers that have a text in `docs/contributing/requirements`, in the order of the files. */
export function definedNumbers(): string[] {
  return filesUnder(TEXTS).flatMap(({ text }) =>
    [...text.matchAll(DEFINED)].map(([, row, fault]) => row ?? fault ?? ''),
  );
}

/** Numbers that a file cites and no requirement defines, as `path:line: number`. */
export function unknownNumbers(file: RepositoryFile, known: ReadonlySet<string>): string[] {
  const patterns = WHERE_OTHERS_FAIL.test(file.path) ? [CITED, CITED_FAULT] : [CITED];
  return file.text.split('\n').flatMap((line, index) =>
    patterns
      .flatMap((pattern) => line.match(pattern) ?? [])
      .filter((number) => !known.has(number))
      .map((number) => `${file.path}:${index + 1}: ${number}`),
  );
}
