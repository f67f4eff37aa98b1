/** Headers of a request of a delivery, but for its signature. Pure. */
export function webhookRequestHeaders(id: string, timestamp: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'capstan',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1_000)),
  };
}
