import { AnswerValidator, type EventSchema, type SeenAnswer } from './answer-validator.js';
import { operationsOf, readOpenApiDocument, type Operation } from './openapi-document.js';

/** Read at the first answer, because not every file that imports this calls an API. */
let known: { readonly validator: AnswerValidator; readonly routes: readonly Route[] } | undefined;

interface Route {
  readonly operation: Operation;
  readonly path: RegExp;
}

/**
 * Throws if an answer of the API differs from `openapi.json` for this method and path. A path outside the document has to be
 * answered by a problem or a page.
 *
 * @param path as requested, with its query
 */
export function assertDocumented(method: string, path: string, answer: SeenAnswer): void {
  const { validator, routes } = document();
  const asked = new URL(path, 'http://api.invalid').pathname;
  const route = routes.find(({ operation, path }) => operation.method === method && path.test(asked));
  const faults =
    route === undefined
      ? validator.faultsOffRoute(answer)
      : validator.undocumentedOf(route.operation, answer);
  if (faults.length > 0)
    throw new Error(`${method} ${path} is not as openapi.json says: ${faults.join('\n')}`);
}

/** Throws if an event differs from `openapi.json`. */
export function assertDocumentedEvent(
  event: Parameters<AnswerValidator['faultsOfEvent']>[0],
  of?: EventSchema,
): void {
  const faults = document().validator.faultsOfEvent(event, of);
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

function document(): NonNullable<typeof known> {
  if (known !== undefined) return known;
  const openapi = readOpenApiDocument();
  const routes = operationsOf(openapi).map((operation) => ({ operation, path: toRegExp(operation.path) }));
  known = { validator: new AnswerValidator(openapi), routes };
  return known;
}

/** Matches the path with or without its trailing slash. */
function toRegExp(path: string): RegExp {
  return new RegExp(`^${path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
}
