import { basename, dirname } from 'node:path';
import { oneWay } from './one-way.mjs';

/** Maximum width of comments; Prettier wraps code at 110, but not comments. */
const MAX_COMMENT = 125;

const DRAWER_STEMS = /^(commons?|shared|misc|generic|(.*[-.])?(utils?|utilities|helpers?))$/;

/** First words of a clause that depends on the code below it, or on the title above it. */
const CLAUSE = /^(What|Who|Whose|Whom|Of|That|Those|Then)\b/;
/** Words in place of an actor, a thing or a time. */
const PRONOUN = /\b(whoever|nobody|somebody|anybody|whatever|whichever|meanwhile)\b/i;
/** Functions of Jest whose first argument is a title, and own ones named after them, such as `describeWithRedis`. */
const TITLED = /^(describe|it|test)([A-Z]\w*)?$/;

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
        messages: { wide: `A line with a comment has at most ${MAX_COMMENT} characters: wrap it.` },
      },
      create: (context) => ({
        Program() {
          const lines = context.sourceCode.lines;
          for (const { loc } of context.sourceCode.getAllComments()) {
            for (let line = loc.start.line; line <= loc.end.line; line += 1) {
              if ((lines[line - 1] ?? '').length <= MAX_COMMENT) continue;
              context.report({ loc: { line, column: MAX_COMMENT }, messageId: 'wide' });
            }
          }
        },
      }),
    },
    'plain-comments': {
      meta: {
        type: 'suggestion',
        schema: [],
        messages: {
          clause: 'A comment or title is a sentence or names a thing: it does not begin with "{{word}}".',
          pronoun: 'Name the actor, the thing or the time in place of "{{word}}".',
        },
      },
      create(context) {
        const check = (loc, text, begin) => {
          const clause = CLAUSE.exec(begin)?.[0];
          if (clause !== undefined) context.report({ loc, messageId: 'clause', data: { word: clause } });
          const pronoun = PRONOUN.exec(text)?.[0];
          if (pronoun !== undefined) context.report({ loc, messageId: 'pronoun', data: { word: pronoun } });
        };
        return {
          Program() {
            for (const { loc, text } of commentsIn(context.sourceCode)) check(loc, text, text);
          },
          CallExpression(node) {
            const title = TITLED.test(rootOf(node.callee)) ? titleOf(node.arguments[0]) : undefined;
            if (title === undefined) return;
            // Titles begin with a small letter where they go on from the title above.
            check(node.arguments[0].loc, title, capital(title));
            const shown = /^([^%$]*)(%s|\$(\w+))/.exec(title);
            for (const argument of shown === null ? [] : textsOf(node, shown[3], context.sourceCode)) {
              const text = titleOf(argument);
              check(argument.loc, text, shown[1] === '' ? capital(text) : '');
            }
          },
        };
      },
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

/** All comments, each as one line of text; line comments on consecutive lines count as one. */
function commentsIn(sourceCode) {
  const found = [];
  for (const { type, value, loc } of sourceCode.getAllComments()) {
    const text = value.replaceAll(/^[\s*]+/gm, '').replaceAll(/\s+/g, ' ');
    const isAlone = (sourceCode.lines[loc.start.line - 1] ?? '').slice(0, loc.start.column).trim() === '';
    const last = found.at(-1);
    if (type === 'Line' && isAlone && last?.endsAt === loc.start.line - 1) {
      last.text += ` ${text}`;
      last.endsAt = loc.start.line;
    } else found.push({ text, loc, endsAt: type === 'Line' && isAlone ? loc.end.line : null });
  }
  return found;
}

/** Name of the function in `it(…)`, `it.skip(…)`, `it.each(rows)(…)` and `it.each<Row>`a | b`(…)`. */
function rootOf(callee) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return rootOf(callee.object);
  if (callee.type === 'CallExpression') return rootOf(callee.callee);
  return callee.type === 'TaggedTemplateExpression' ? rootOf(callee.tag) : '';
}

/** Text of a literal title; undefined for any other argument. */
function titleOf(argument) {
  if (argument?.type === 'Literal' && typeof argument.value === 'string') return argument.value;
  if (argument?.type !== 'TemplateLiteral') return undefined;
  return argument.quasis.map(({ value }) => value.raw).join('…');
}

/** Texts that a title shows of the rows of an `.each` table: the property with a name, else the first text. */
function textsOf({ callee }, name, sourceCode) {
  if (callee.type !== 'CallExpression' || callee.callee.property?.name !== 'each') return [];
  const rows = rowsOf(callee.arguments[0], sourceCode.getScope(callee));
  return rows.map((row) => shownOf(row, name)).filter((text) => titleOf(text) !== undefined);
}

/** Rows of a table that is written in place, in a constant of the file, or spread from one. */
function rowsOf(table, scope) {
  if (table?.type === 'ArrayExpression') return table.elements.flatMap((row) => spreadOf(row, scope));
  if (table?.type.startsWith('TS')) return rowsOf(table.expression, scope);
  if (table?.type !== 'Identifier') return [];
  const variable = scope.set.get(table.name);
  if (variable !== undefined) return rowsOf(variable.defs[0]?.node.init, scope);
  return scope.upper === null ? [] : rowsOf(table, scope.upper);
}

function spreadOf(row, scope) {
  return row?.type === 'SpreadElement' ? rowsOf(row.argument, scope) : [row];
}

function shownOf(row, name) {
  if (row?.type === 'ArrayExpression') return row.elements[0];
  if (row?.type !== 'ObjectExpression') return row;
  return row.properties.find(({ key }) => key?.name === name)?.value;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
