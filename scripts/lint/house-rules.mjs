import { basename, dirname } from 'node:path';
import { oneWay } from './one-way.mjs';

/** Maximum width of comments; Prettier wraps code at 110, but not comments. */
const WIDEST_COMMENT = 125;

const DRAWER_STEMS = /^(commons?|shared|misc|generic|(.*[-.])?(utils?|utilities|helpers?))$/;

/** Lint rules for file names, comments and their reasons that no package has. */
export const house = {
  rules: {
    ...oneWay,
    'no-drawers': {
      meta: {
        type: 'problem',
        schema: [],
        messages: { drawer: '"{{name}}" is a drawer: name the one concept.' },
      },
      create: (context) => ({
        Program(node) {
          const path = context.filename.slice(context.cwd.length + 1);
          const names = [
            ...dirname(path).split('/'),
            basename(path).replace(/(\.(spec|d))?\.[cm]?[jt]s$/, ''),
          ];
          for (const name of names) {
            if (DRAWER_STEMS.test(name)) context.report({ node, messageId: 'drawer', data: { name } });
          }
        },
      }),
    },
    'narrow-comments': {
      meta: {
        type: 'layout',
        schema: [],
        messages: { wide: `A line with a comment has at most ${WIDEST_COMMENT} characters: wrap it.` },
      },
      create: (context) => ({
        Program() {
          const lines = context.sourceCode.lines;
          for (const { loc } of context.sourceCode.getAllComments()) {
            for (let line = loc.start.line; line <= loc.end.line; line += 1) {
              if ((lines[line - 1] ?? '').length <= WIDEST_COMMENT) continue;
              context.report({ loc: { line, column: WIDEST_COMMENT }, messageId: 'wide' });
            }
          }
        },
      }),
    },
    'disable-with-reason': {
      meta: {
        type: 'problem',
        schema: [],
        messages: { reason: 'Name the rule and the reason: {{disable}}-next-line <rule> -- <why>.' },
      },
      create: (context) => ({
        Program() {
          for (const { value, loc } of context.sourceCode.getAllComments()) {
            const disable = /^\s*((?:eslint|oxlint)-disable)/.exec(value)?.[1];
            const saysWhy = /^\s*\w+-disable(-next-line|-line)?\s+[@\w][^]*\s--\s+\S/.test(value);
            // Column -1 lies before any code that the comment itself could silence.
            if (disable !== undefined && !saysWhy) {
              const where = { line: loc.start.line, column: -1 };
              context.report({ loc: where, messageId: 'reason', data: { disable } });
            }
          }
        },
      }),
    },
  },
};
