import { isBelow, REFERENCE_PATH } from './page-paths.js';

/** Path of the OpenAPI document. */
export const DOCUMENT_PATH = '/openapi.json';

/** Whether the route serves the OpenAPI document or the page that shows it. */
export function isDocument(url: string): boolean {
  return isBelow(url, DOCUMENT_PATH) || isBelow(url, REFERENCE_PATH);
}
