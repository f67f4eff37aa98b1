/** Where the OpenAPI document is, below the root. */
export const DOCUMENT_PATH = 'openapi.json';
/** Where a page shows it. */
export const DOCUMENT_PAGE_PATH = 'docs';

/** Whether a route is the OpenAPI document, the page that shows it, or a file of that page. */
export function isDocument(url: string): boolean {
  const [first] = url.split('/').filter((part) => part !== '');
  return first === DOCUMENT_PATH || first === DOCUMENT_PAGE_PATH || first === `${DOCUMENT_PAGE_PATH}-json`;
}
