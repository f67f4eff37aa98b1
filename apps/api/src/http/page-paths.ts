/** Path of the console, without the slash at its end. */
export const CONSOLE_PATH = '/console';
/** Path of the documentation site, without the slash at its end. */
export const SITE_PATH = '/docs';
/** Path of the API reference, a page of the site that shows the OpenAPI document. */
export const REFERENCE_PATH = `${SITE_PATH}/api`;

/** Whether the route is `path` or below it. */
export function isBelow(url: string, path: string): boolean {
  return url === path || url.startsWith(`${path}/`);
}
