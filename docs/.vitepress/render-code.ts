import type { MarkdownRenderer } from 'vitepress';

/** Renders fenced blocks of the language `mermaid` as the component that draws them in the browser. */
export function drawMermaid(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, options, env, self) ?? '';
    return `<MermaidDiagram code="${encodeURIComponent(token.content)}" />`;
  };
}

/** Keeps Vue from reading `{{ }}` in code within a line, which pipelines use for references. */
export function keepBracesInCode(markdown: MarkdownRenderer): void {
  const { code_inline: inline } = markdown.renderer.rules;
  markdown.renderer.rules.code_inline = (tokens, index, options, env, self) => {
    tokens[index]?.attrSet('v-pre', '');
    return inline?.(tokens, index, options, env, self) ?? '';
  };
}
