import ts from 'typescript';

const SUITES = new Set(['describe', 'it', 'test']);

/**
 * Titles of suites and tests in a spec, and the first text of each array, as rows of tables have it. White space is folded.
 */
export function titlesOf(text: string): string[] {
  const source = ts.createSourceFile('a.spec.ts', text, ts.ScriptTarget.Latest);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    const named = titleNode(node);
    if (named !== undefined) titles.push(named.text.replace(/\s+/g, ' '));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** Node of the title in `it('…')`, `it.each(rows)('…')`, and `['…', …]`. */
function titleNode(node: ts.Node): ts.LiteralLikeNode | undefined {
  const first =
    ts.isCallExpression(node) && isSuite(node.expression)
      ? node.arguments[0]
      : ts.isArrayLiteralExpression(node)
        ? node.elements[0]
        : undefined;
  return first && ts.isStringLiteralLike(first) ? first : undefined;
}

/** Whether the callee is `it`, `it.skip`, `it.each(rows)`, `describe.each<Row>(rows)`, and so on. */
function isSuite(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return SUITES.has(callee.text);
  if (ts.isPropertyAccessExpression(callee)) return isSuite(callee.expression);
  return ts.isCallExpression(callee) && isSuite(callee.expression);
}
