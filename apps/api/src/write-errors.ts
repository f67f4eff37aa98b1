import { readFileSync, writeFileSync } from 'node:fs';
import { ERROR_CATALOGUE, type ErrorAudience, type ErrorDescription } from '#libs/kernel';
import { domains } from './domains.js';

type Described = Readonly<Record<string, ErrorDescription>>;

const HEAD = `# Error codes

Written by \`npm run gen:errors\` from \`libs/kernel/src/error-catalogue.ts\`, of which the OpenAPI document has its codes too. Every error of the
API is \`application/problem+json\` (RFC 9457) with one of these as \`code\`; a failed execution has one as \`error.code\`. Codes are stable:
programs may rely on them, not on the texts beside them. What a domain adds stands in its definition (\`errors\`), and is there where
the domain is loaded; what the examples add is listed at the end.
`;

const PARTS: readonly (readonly [ErrorAudience, string])[] = [
  ['answer', 'What the API answers'],
  ['execution', 'What an execution fails with'],
  ['document', 'What a document fails with'],
  ['operator', 'What operators meet, in logs and at the start of a process'],
];

/** Text of `docs/reference/errors.md`, formatted as Prettier does. */
function errorsDocument(ofDomains: Described): string {
  const parts = PARTS.map(([audience, title]) => part(ERROR_CATALOGUE, audience, `## ${title}`));
  const added = PARTS.map(([audience, title]) => part(ofDomains, audience, `### ${title}`));
  return [HEAD, ...parts, '## What the example domains add\n', ...added]
    .filter((text) => text !== '')
    .join('\n');
}

function part(described: Described, audience: ErrorAudience, title: string): string {
  const hasStatus = audience === 'answer';
  const rows = Object.entries<ErrorDescription>(described)
    .filter(([, { seen }]) => seen.includes(audience))
    .map(([code, { status, meaning, advice }]) => [
      `\`${code}\``,
      ...(hasStatus ? [status.join(', ')] : []),
      meaning,
      advice,
    ]);
  if (rows.length === 0) return '';
  const heads = ['code', ...(hasStatus ? ['status'] : []), 'meaning', 'what to do'];
  return `${title}\n\n${table(heads, rows)}\n`;
}

/** A Markdown table with each column as wide as its longest cell. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) =>
    Math.max(3, head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Writes docs/reference/errors.md; with `--check`, fails if the file is out of date. */
const FILE = 'docs/reference/errors.md';

const text = errorsDocument(domains.errors);

if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write(`${FILE} is out of date: npm run gen:errors\n`);
  process.exitCode = 1;
}
