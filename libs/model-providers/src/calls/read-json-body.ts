/** The body as JSON, or `undefined` if it is not JSON. */
export async function readJson(response: Pick<Response, 'text'>): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
