import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { apiPage, eventsPage, type ApiDocument } from './api-pages.ts';
import { configurationPage } from './configuration-page.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('the page of the API', () => {
  it('lists every operation of the document once', () => {
    const document = JSON.parse(read('openapi.json')) as ApiDocument;
    const operations = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    const listed = [...apiPage(document).matchAll(/\| `(\w+)` \|$/gm)].map(([, name]) => name);
    expect(operations.length).toBeGreaterThan(100);
    expect(listed.toSorted()).toEqual(operations.toSorted());
  });
});

describe('the page of events', () => {
  it('has the fields of the data, and escapes what would end a cell', () => {
    const schemas = {
      ExecutionEvent: { oneOf: [{ $ref: '#/components/schemas/DoneEvent' }] },
      Thing: { description: 'not an event' },
      StateEvent: { description: 'of a document', properties: { event: { const: 'state' } } },
      DoneEvent: {
        description: 'a <b> or `a|b`',
        properties: { event: { const: 'done' }, data: { properties: { id: {}, round: {} } } },
      },
    };
    const [executions, documents] = eventsPage({ tags: [], paths: {}, components: { schemas } }).split(
      '## Documents',
    );
    expect(executions).toContain('| `done` | a &lt;b> or `a\\|b` | `id`, `round` |');
    expect(executions).not.toContain('of a document');
    expect(documents).toContain('| `state` | of a document |  |');
  });
});

describe('the page of the configuration', () => {
  it('joins the lines about a setting, and shows its default', () => {
    const page = configurationPage('# Copy it.\n\n# the port,\n# of the API\n# PORT=3000\n\n# none\nOPEN=\n');
    expect(page).toContain('| `PORT` | The port, of the API | `3000` |\n| `OPEN` | None |  |\n');
  });

  it('has every setting of .env.example', () => {
    const text = read('.env.example');
    const names = [...text.matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
    const listed = [...configurationPage(text).matchAll(/^\| `([A-Z][A-Z0-9_]*)` \|/gm)].map(
      ([, name]) => name,
    );
    expect(listed).toEqual(names);
  });
});
