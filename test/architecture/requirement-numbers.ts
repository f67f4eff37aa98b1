import { filesUnder, type RepositoryFile } from './repository-files.js';

const TEXTS = 'docs/requirements';
const DEFINED = /<a id="[\w-]+"><\/a>(?:\*\*(S\d-\d+|3\.[A-Z]-\d+)\*\*|([LWNK]\d+) )/g;
/** `S1-7`, `3.C-5`; also what looks like one and is none. */
const CITED = /(?<![\w.-])(?:S\d-\d+|3\.[A-Z]-\d+)\b/g;
/** `L4`: only where others fail. Elsewhere it is a level of the house. */
const CITED_FAULT = /(?<![\w/])[LWNK]\d+\b/g;
const WHERE_OTHERS_FAIL =
  /^(libs\/(model-providers|guarded-fetch|webhooks)|test\/(contract\/model|integration\/webhooks)|apps\/simulator)\//;

/** Numbers that have a text in `docs/requirements`, in the order of the files. */
export function definedNumbers(): string[] {
  return filesUnder(TEXTS).flatMap(({ text }) =>
    [...text.matchAll(DEFINED)].map(([, row, fault]) => row ?? fault ?? ''),
  );
}

/** `path:line: number` of everything that a file cites and no text defines. */
export function unknownNumbers(file: RepositoryFile, known: ReadonlySet<string>): string[] {
  const patterns = WHERE_OTHERS_FAIL.test(file.path) ? [CITED, CITED_FAULT] : [CITED];
  return file.text.split('\n').flatMap((line, index) =>
    patterns
      .flatMap((pattern) => line.match(pattern) ?? [])
      .filter((number) => !known.has(number))
      .map((number) => `${file.path}:${index + 1}: ${number}`),
  );
}
