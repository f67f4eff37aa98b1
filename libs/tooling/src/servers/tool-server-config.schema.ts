import { z } from 'zod';
import { utf8Length } from '#libs/kernel';
import { oauthSchema } from './oauth-config.schema.js';
import { templateSchema } from './template-text.js';

/** Maximum bytes of an API description, all files together. */
export const MAX_DOCUMENT_BYTES = 16_777_216;
const MAX_DOCUMENT_FILES = 200;
const MAX_TEMPLATES = 50;

/**
 * Headers that the service sets itself, or that belong to one connection; a server's configuration may not set them.
 */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'content-type', 'content-encoding', 'transfer-encoding', 'connection'],
  ...['keep-alive', 'upgrade', 'te', 'trailer', 'expect', 'accept', 'accept-encoding', 'proxy-authorization'],
  ...[
    'proxy-connection',
    'cookie',
    'idempotency-key',
    'mcp-session-id',
    'mcp-protocol-version',
    'last-event-id',
  ],
]);

/** An object of texts by name; each invalid name is reported at its own path. */
function templates(what: string, isName: (name: string) => boolean, nameWords: string) {
  return z
    .record(z.string(), templateSchema, `must be an object of ${what}, each a text`)
    .superRefine((map, context) => {
      const names = Object.keys(map);
      for (const name of names.filter((each) => !isName(each)))
        context.addIssue({ code: 'custom', path: [name], message: nameWords });
      if (names.length > MAX_TEMPLATES)
        context.addIssue({ code: 'custom', message: `must have at most ${MAX_TEMPLATES} entries` });
    })
    .default({});
}

const headersTemplate = templates(
  'headers',
  (name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/.test(name) && !OWN_HEADERS.has(name.toLowerCase()),
  'is no name of a header, or one that every request sets by itself',
)
  .refine(haveDistinctNames, 'must not name a header twice')
  .describe('Headers of every request by name; `${name}` stands for a token of the execution.');

const queryTemplate = templates(
  'query parameters',
  (name) => /^[\x21-\x7e]{1,128}$/.test(name),
  'is no name of a parameter: 1 to 128 printable characters',
).describe('Parameters that every address gets, by name; `${name}` stands for a token.');

const envTemplate = templates(
  'variables',
  (name) => /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name),
  'is no name of a variable: letters, digits and _',
).describe('The environment of the process, nothing else is in it; `${name}` stands for a token.');

const security = templates(
  'security schemes',
  (name) => /^[A-Za-z0-9._-]{1,128}$/.test(name),
  'is no name of a security scheme: letters, digits, ., _ or -',
).describe('What fills a security scheme of the document, by its name: `user:password` for `basic`.');

const URL_WORDS = 'must be an http or https address without user name and password';
const url = z
  .url({ protocol: /^https?$/, error: URL_WORDS })
  .max(2_048, 'must have at most 2048 characters')
  .refine((text) => !/^[^/]*\/\/[^/?#]*@/.test(text), URL_WORDS)
  .refine((text) => !text.includes('${'), 'must not have placeholders: only headers and query may');

const AUTHORIZATION_TWICE = 'must not name Authorization beside `auth`, which fills it';

/** Two sources for one header: it would be undefined which one the server receives. */
function fillsTwice(config: { headers_template: Readonly<Record<string, string>>; auth?: unknown }): boolean {
  const names = Object.keys(config.headers_template).map((name) => name.toLowerCase());
  return config.auth !== undefined && names.includes('authorization');
}

/** `http`: MCP over streamable HTTP. `sse`: MCP over the older HTTP with SSE. */
export const remoteServerConfigSchema = z
  .strictObject({ url, headers_template: headersTemplate, auth: oauthSchema.optional() })
  .refine((config) => !fillsTwice(config), { path: ['headers_template'], error: AUTHORIZATION_TWICE });

/** MCP over standard input and output of a process; allowed only if the operator permits it. */
export const stdioServerConfigSchema = z.strictObject({
  command: z
    .string('must be the name of a command')
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be the name of a command, not a path'),
  args: z
    .array(
      z
        .string()
        .max(4_096, 'must have at most 4096 characters')
        .regex(/^[^\u0000]*$/, 'must not have NUL'),
      'must be a list of texts',
    )
    .max(64, 'must have at most 64 entries')
    .default([]),
  env_template: envTemplate,
});

const file = z.string('must be the text of a file').min(1, 'must not be empty');
const FILE_PATH = /^(?!\/)(?!.*(^|\/)\.\.?(\/|$))[^\\\p{Cc}]{1,256}$/u;
const files = z
  .strictObject({ files: z.record(z.string(), file), root: z.string() })
  .superRefine(({ files: texts, root }, context) => {
    const paths = Object.keys(texts);
    for (const path of paths.filter((each) => !FILE_PATH.test(each)))
      context.addIssue({
        code: 'custom',
        path: ['files', path],
        message: 'must be a relative path without "." and ".."',
      });
    if (paths.length > MAX_DOCUMENT_FILES)
      context.addIssue({
        code: 'custom',
        path: ['files'],
        message: `must have at most ${MAX_DOCUMENT_FILES} files`,
      });
    if (!Object.hasOwn(texts, root))
      context.addIssue({ code: 'custom', path: ['root'], message: 'must be one of the files' });
  });
/** API description of an HTTP service, as a tenant submits it. */
export const openApiDocumentSchema = z
  .union([file, files], 'must be the text of a document, or { "files": { path: text }, "root": path }')
  .refine(
    (given) => documentBytes(given) <= MAX_DOCUMENT_BYTES,
    `must have at most ${MAX_DOCUMENT_BYTES} bytes of UTF-8`,
  )
  .describe('OpenAPI 3.0, 3.1 or Swagger 2.0, as JSON or YAML; several files where one refers to others.');

/** An HTTP service with its API description. */
export const openApiServerConfigSchema = z
  .strictObject({
    document: openApiDocumentSchema,
    /** Takes precedence over the servers in the document. */
    base_url: url.optional(),
    headers_template: headersTemplate,
    query_template: queryTemplate,
    security,
    auth: oauthSchema.optional(),
  })
  .refine((config) => !fillsTwice(config), { path: ['headers_template'], error: AUTHORIZATION_TWICE })
  .refine(({ auth, base_url: baseUrl }) => auth === undefined || baseUrl !== undefined, {
    path: ['base_url'],
    error: 'is required beside `auth`: tokens go there, and nowhere that only the document names',
  });

/** The tools built into this installation, offered as a server. */
export const builtinServerConfigSchema = z.strictObject({}, 'must be {}');

export type OpenApiServerConfig = z.infer<typeof openApiServerConfigSchema>;

function haveDistinctNames(map: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(map).map((name) => name.toLowerCase());
  return new Set(names).size === names.length;
}

function documentBytes(given: string | { readonly files: Readonly<Record<string, string>> }): number {
  const texts = typeof given === 'string' ? [given] : Object.values(given.files);
  return texts.reduce((sum, text) => sum + utf8Length(text), 0);
}
