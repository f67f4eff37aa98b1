import { Client } from 'pg';
import type { ApiClient } from '../../support/services/api-client.js';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';

const watched = (item: string) => ({ item, delay_ms: null, fail: null });
/** The item of each call of the reviewer. */
export const REVIEW_CALLS = { looked: 'looked', charged: 'reviewed', noted: 'noted' } as const;
export const REVIEW_FINDING = { line: 2, problem: 'Is that the right size?' };
/** The reviewer looks, charges with an unsafe call, notes it, and raises one finding about the order. */
const SCRIPT = {
  contains: 'Review this draft.',
  answers: [
    {
      calls: [
        { name: WATCHED_TOOLS.read, arguments: watched(REVIEW_CALLS.looked) },
        { name: WATCHED_TOOLS.unsafe, arguments: watched(REVIEW_CALLS.charged) },
      ],
    },
    { calls: [{ name: WATCHED_TOOLS.idempotent, arguments: watched(REVIEW_CALLS.noted) }] },
    {
      text: JSON.stringify({
        message: 'One thing.',
        reviewerAgentOutput: { verdict: 'needs_person', findings: [REVIEW_FINDING] },
      }),
    },
  ],
};

/**
 * Sets up the seeded `orderEntryWorkflow` with a clerk made of rules for its steps, and with a scripted reviewer that calls
 * watched tools, which the API does not know. Returns the id of the workflow.
 */
export async function offerReviewer(
  api: ApiClient,
  databaseUrl: string,
  simulatorUrl: string,
): Promise<number> {
  await post(`${simulatorUrl}/__control/scripts`, SCRIPT);
  const clerk = await post(`${api.url}/api/llms/`, { name: 'The clerk', model: 'sim-order-clerk' });
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    await database.query(`UPDATE agent SET tools = $1 WHERE name = 'reviewerAgent'`, [
      JSON.stringify({ builtin: Object.values(WATCHED_TOOLS) }),
    ]);
    const { rows } = await database.query<{ id: number }>(
      `UPDATE agent SET llm_id = $1 WHERE name = 'orderEntryWorkflow' RETURNING id`,
      [clerk['id']],
    );
    return rows[0]?.id ?? 0;
  } finally {
    await database.end();
  }
}

async function post(url: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
