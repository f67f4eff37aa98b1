/** The body as JSON, or `undefined` where it is none: an HTML page, nothing at all. */
export async function readJson(response: Pick<Response, 'text'>): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
