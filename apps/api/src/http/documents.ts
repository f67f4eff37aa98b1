/** Path of the OpenAPI document. */
export const DOCUMENT_PATH = 'openapi.json';
/** Path of the documentation page. */
export const DOCUMENT_PAGE_PATH = 'docs';

/** Whether the route serves the OpenAPI document, its page, or a file of the page. */
export function isDocument(url: string): boolean {
  const [first] = url.split('/').filter((part) => part !== '');
  return first === DOCUMENT_PATH || first === DOCUMENT_PAGE_PATH || first === `${DOCUMENT_PAGE_PATH}-json`;
}
