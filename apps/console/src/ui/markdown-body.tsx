import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { visibleText } from '../format/visible-text.js';

const SCHEMA = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((name) => !['picture', 'source'].includes(name)),
  protocols: { href: ['http', 'https', 'mailto'], src: ['https', 'http'] },
};

/**
 * An image would be asked of a foreign server, which so learns who reads: its address is shown instead. Lists, tables and
 * quotations have the direction of their text, so that their marks and first columns stand where it begins. The box of a
 * task says whether it is done, and cannot be ticked.
 */
const COMPONENTS: Components = {
  ul: ({ children }) => <ul dir="auto">{children}</ul>,
  ol: ({ start, children }) => (
    <ol dir="auto" start={start}>
      {children}
    </ol>
  ),
  table: ({ children }) => <table dir="auto">{children}</table>,
  input: ({ checked }) => (
    <span role="img" aria-label={checked === true ? 'done' : 'to do'}>
      {checked === true ? '☑' : '☐'}
    </span>
  ),
  blockquote: ({ children }) => <blockquote dir="auto">{children}</blockquote>,
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className="text-accent underline">
      {children}
    </a>
  ),
  img: ({ src, alt }) => (
    <span className="text-muted">
      [image{alt === undefined || alt === '' ? '' : `: ${alt}`} {typeof src === 'string' ? src : ''}]
    </span>
  ),
};

export default function MarkdownBody({ text }: { readonly text: string }) {
  return (
    <div className="markdown min-w-0 wrap-anywhere">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[[rehypeSanitize, SCHEMA]]}
        components={COMPONENTS}
        skipHtml
      >
        {visibleText(text)}
      </ReactMarkdown>
    </div>
  );
}
