/**
 * Lint rules for "One way" in CONTRIBUTING.md, as far as a machine can check it; `test/architecture/lint-rules.spec.ts`
 * breaks each of them.
 */

const KEYWORDS = new Set(
  (
    'from select where insert into values update set delete returning join as order by group having and or not null in is ' +
    'case when then else end union all using conflict do nothing distinct with recursive materialized lateral cross inner outer ' +
    'between like over partition filter asc desc nulls skip create alter drop table index unique primary references'
  ).split(' '),
);

/** Start of an SQL statement, in any case. Fragments are not checked, since they look like prose. */
const STATEMENT = new RegExp(
  [
    String.raw`^\s*(select\s`,
    String.raw`insert\s+into\s`,
    String.raw`update\s+\w+(\s+\w+)?\s+set\s`,
    String.raw`delete\s+from\s`,
    String.raw`with\s+(recursive\s+)?\w+(\s*\([^)]*\))?\s+as\s+((not\s+)?materialized\s*)?\(`,
    String.raw`(create|alter|drop)\s+(or\s+replace\s+|unique\s+)?(table|index|trigger|function|type|schema|extension|database)\s)`,
  ].join('|'),
  'i',
);

const isStatement = (text) => STATEMENT.test(text);

/** The statement without parts in free case: texts, quoted names and comments. */
const bare = (sql) => sql.replaceAll(/'[^']*'|"[^"]*"|--.*$|\/\*[^]*?\*\//gm, ' ');

/** Visits every text of a file, with `$` in place of interpolations. */
const texts = (look) => ({
  Literal: (node) => {
    if (typeof node.value === 'string') look(node, node.value);
  },
  TemplateLiteral: (node) => look(node, node.quasis.map(({ value }) => value.cooked ?? '').join(' $ ')),
});

const rule = (messages, create) => ({ meta: { type: 'problem', schema: [], messages }, create });

export const oneWay = {
  'private-keyword': rule(
    { hash: 'A private member is `private`, as a parameter of a constructor can only be.' },
    (context) => ({
      'PropertyDefinition > PrivateIdentifier.key, MethodDefinition > PrivateIdentifier.key, AccessorProperty > PrivateIdentifier.key':
        (node) => context.report({ node, messageId: 'hash' }),
    }),
  ),

  'sql-keywords': rule({ small: 'SQL has its keywords in capitals: {{word}}.' }, (context) =>
    texts((node, text) => {
      if (!isStatement(text)) return;
      const word = bare(text)
        .match(/\b[a-z]+\b/g)
        ?.find((found) => KEYWORDS.has(found));
      if (word !== undefined) context.report({ node, messageId: 'small', data: { word } });
    }),
  ),

  'sql-only-where-named': rule(
    {
      elsewhere:
        'No SQL in this file: an app asks a store, and a store of ordinary rows asks the repository of its entity.',
    },
    (context) =>
      texts((node, text) => {
        if (isStatement(text)) context.report({ node, messageId: 'elsewhere' });
      }),
  ),

  'injection-tokens': rule(
    {
      text: 'A token is a class, or a Symbol of what has no class; never a text.',
      place: 'A token that several files use stands in the *.tokens.ts of its app.',
    },
    (context) => ({
      'Property[key.name="provide"] > :matches(Literal, TemplateLiteral).value, Decorator > CallExpression[callee.name="Inject"] > :matches(Literal, TemplateLiteral)':
        (node) => context.report({ node, messageId: 'text' }),
      'ExportNamedDeclaration > VariableDeclaration > VariableDeclarator > CallExpression.init[callee.name="Symbol"]':
        (node) => {
          if (!context.filename.endsWith('.tokens.ts')) context.report({ node, messageId: 'place' });
        },
    }),
  ),
};
