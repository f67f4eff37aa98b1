import {
  fillTemplate,
  placeholdersOf,
  type ServerCredentials,
  type ToolServer,
  type ToolServerConnection,
} from '#libs/tooling';

type Templates = Readonly<Record<string, string>>;

function templatesOf({
  type,
  config,
}: ToolServerConnection): Pick<ServerCredentials, 'headers' | 'query' | 'env' | 'security'> {
  const none: Templates = {};
  switch (type) {
    case 'http':
    case 'sse':
      return { headers: config.headers_template, query: none, env: none, security: none };
    case 'stdio':
      return { headers: none, query: none, env: config.env_template, security: none };
    case 'openapi': {
      const { headers_template: headers, query_template: query, security } = config;
      return { headers, query, env: none, security };
    }
    case 'builtin':
      return { headers: none, query: none, env: none, security: none };
  }
}

/** True if the server's templates contain placeholders. */
export function asksForTokens(server: ToolServer): boolean {
  return Object.values(templatesOf(server)).some((templates) =>
    Object.values(templates).some((template) => placeholdersOf(template).length > 0),
  );
}

/** Fills a server's templates. Templates with a missing token are omitted, and the token is listed. */
export function fillCredentials(server: ToolServer, tokens: Templates): ServerCredentials {
  const missing = new Set<string>();
  const sent = new Set<string>();
  const fill = (templates: Templates): Templates =>
    Object.fromEntries(
      Object.entries(templates).flatMap(([name, template]) => {
        const filled = fillTemplate(template, tokens);
        if ('value' in filled) {
          for (const token of placeholdersOf(template)) sent.add(tokens[token] ?? '');
          return [[name, filled.value]];
        }
        for (const token of filled.missing) missing.add(token);
        return [];
      }),
    );
  const { headers, query, env, security } = templatesOf(server);
  const filled = {
    headers: fill(headers),
    query: fill(query),
    env: fill(env),
    security: fill(security),
  };
  return {
    ...filled,
    missing: [...missing].sort(),
    ...(sent.size > 0 && { tokens: [...sent].sort() }),
  };
}
