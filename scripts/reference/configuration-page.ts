import { markdownTable } from './markdown-table.ts';

const HEAD = `# Configuration

Written by \`npm run gen:reference\` from [\`.env.example\`](../../.env.example), which a test holds to the code that reads the variables.

Every process reads its settings from the environment, once, at its start. A value that cannot be read ends the start with a line that
names the variable. A variable that looks like a setting and is none is warned of.
`;
const SETTING = /^(?:# )?([A-Z][A-Z0-9_]*)=(.*)$/;

/** Text of `docs/reference/configuration.md`: every setting with its meaning and its default or an example. */
export function configurationPage(envExample: string): string {
  const rows = envExample.split(/\n\s*\n/).flatMap((paragraph) => {
    const lines = paragraph.trim().split('\n');
    const setting = SETTING.exec(lines.at(-1) ?? '');
    if (setting === null) return [];
    const [, name = '', value = ''] = setting;
    const words = lines
      .slice(0, -1)
      .map((line) => line.replace(/^# ?/, ''))
      .join(' ');
    // A first word before a colon is a value, which keeps its case.
    const meaning = /^\w+:/.test(words) ? words : words.charAt(0).toUpperCase() + words.slice(1);
    return [[`\`${name}\``, meaning, value === '' ? '' : `\`${value}\``]];
  });
  return `${HEAD}\n${markdownTable(['variable', 'meaning', 'default or example'], rows)}\n`;
}
