import { markdownTable } from './markdown-table.ts';

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly { readonly bearer?: readonly string[] }[];
}
interface EventSchema {
  readonly description?: string;
  readonly oneOf?: readonly { readonly $ref: string }[];
  readonly properties?: {
    readonly event?: { readonly const?: string };
    readonly data?: { readonly properties?: Readonly<Record<string, unknown>> };
  };
}
/** The part of `openapi.json` that the pages are made of. */
export interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, EventSchema>> };
}

const API_HEAD = `# API

Written by \`npm run gen:reference\` from [\`openapi.json\`](../../openapi.json).

A running service has the whole contract at \`/docs/api/\` and \`/openapi.json\`: parameters, bodies, answers, scopes and examples.
How to generate a client, to page and to repeat requests is in [clients](../guides/clients.md). Codes of errors are in
[errors](errors.md), events in [events](events.md).
`;

const EVENTS_HEAD = `# Events

Written by \`npm run gen:reference\` from [\`openapi.json\`](../../openapi.json).

\`GET /api/executions/{id}/events/\` answers these as server-sent events. Give the last \`id\` as \`Last-Event-ID\` to resume.
New kinds of events may come: pass over those that you do not know.
`;

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Text of `docs/reference/api.md`: every operation, by tag. */
export function apiPage(document: ApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({ ...operation, call: `${method.toUpperCase()} ${path}` })),
  );
  const parts = document.tags.map(({ name, description }) => {
    const rows = operations
      .filter(({ tags }) => tags?.includes(name))
      .map(({ call, operationId, summary = '', security }) => {
        const scope = security?.[0]?.bearer?.[0];
        return [`\`${call}\``, summary, scope === undefined ? '' : `\`${scope}\``, `\`${operationId}\``];
      });
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    return `## ${title}\n\n${description}\n\n${markdownTable(['call', 'does', 'scope of the key', 'operation'], rows)}\n`;
  });
  return [API_HEAD, ...parts].join('\n');
}

/** Text of `docs/reference/events.md`: every event of executions and of documents, with the fields of its data. */
export function eventsPage({ components: { schemas } }: ApiDocument): string {
  const ofExecutions = new Set(schemas['ExecutionEvent']?.oneOf?.map(({ $ref }) => $ref.split('/').at(-1)));
  const events = Object.entries(schemas).flatMap(([component, { description = '', properties }]) => {
    const name = properties?.event?.const;
    if (name === undefined) return [];
    const fields = Object.keys(properties?.data?.properties ?? {}).map((field) => `\`${field}\``);
    return [{ component, cells: [`\`${name}\``, description, fields.join(', ')] }];
  });
  const table = (isListed: (component: string) => boolean): string => {
    const rows = events.filter(({ component }) => isListed(component)).map(({ cells }) => cells);
    return markdownTable(['event', 'meaning', 'fields of `data`'], rows);
  };
  return [
    EVENTS_HEAD,
    table((component) => ofExecutions.has(component)),
    '\n## Documents\n\n`GET /api/documents/{id}/events/` answers these.\n',
    table((component) => !ofExecutions.has(component)),
    '',
  ].join('\n');
}
