import type { Deployment } from './deployment.js';

/** Makes the simulator give these answers in turn to requests that contain this text. */
export async function scriptModel(
  { simulatorUrl }: Pick<Deployment, 'simulatorUrl'>,
  contains: string,
  ...answers: readonly object[]
): Promise<void> {
  const response = await fetch(`${simulatorUrl}/__control/scripts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ contains, order: 'call', answers }),
  });
  if (!response.ok) throw new Error(`no script: ${response.status} ${await response.text()}`);
}
