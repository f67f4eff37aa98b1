import { ERROR_CATALOGUE } from '../../libs/kernel/src/error-catalogue.ts';

const HEAD = `# Error codes

Written by \`npm run errors\` from \`libs/kernel/src/error-catalogue.ts\`, of which the OpenAPI document has its codes too. Every error of the
API is \`application/problem+json\` (RFC 9457) with one of these as \`code\`; a failed execution has one as \`error.code\`. Codes are stable:
programs may rely on them, not on the texts beside them. A domain's own changes may fail with codes of its own.
`;

const PARTS = [
  ['answer', 'What the API answers', 'status'],
  ['execution', 'What an execution fails with', null],
  ['operator', 'What operators meet, in logs and at the start of a process', null],
];

/** docs/errors.md as text, in the form that the formatter gives it. */
export function errorsDocument() {
  return [HEAD, ...PARTS.map(part)].join('\n');
}

function part([audience, title, statusTitle]) {
  const rows = Object.entries(ERROR_CATALOGUE)
    .filter(([, { seen }]) => seen.includes(audience))
    .map(([code, { status, meaning, advice }]) => [
      `\`${code}\``,
      ...(statusTitle === null ? [] : [status.join(', ')]),
      meaning,
      advice,
    ]);
  const heads = ['code', ...(statusTitle === null ? [] : [statusTitle]), 'meaning', 'what to do'];
  return `## ${title}\n\n${table([heads, ...rows])}\n`;
}

/** A table of Markdown whose columns are as wide as their longest cell. */
function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [head, ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
