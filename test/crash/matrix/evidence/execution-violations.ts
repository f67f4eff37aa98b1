import { isDeepStrictEqual } from 'node:util';
import { callName } from '#libs/agent-core';
import { executionResultSchema, executionViewSchema, withoutResultDetails } from '#libs/payloads';
import { Webhook } from 'standardwebhooks';
import type { ExecutionEvidence, ModelRequestSeen } from './case-evidence.js';

export function ofJournal({ journal, epoch }: ExecutionEvidence): string[] {
  const settledCalls = journal.filter((row) => row.kind === 'tool_call_settled').map(placeOf);
  const endings = journal.filter((row) => row.kind === 'execution_settled').length;
  return [
    ...unless(
      journal.every((row, index) => row.sequence === index + 1),
      'the journal has gaps',
    ),
    ...unless(
      journal.every((row, index) => row.epoch <= epoch && row.epoch >= (journal[index - 1]?.epoch ?? 1)),
      `epochs go back: ${journal.map((row) => row.epoch).join(' ')}`,
    ),
    ...unless(endings === 1, `the journal has ${endings} endings`),
    ...unless(journal.at(-1)?.kind === 'execution_settled', 'the journal goes on after the ending'),
    ...unless(
      new Set(settledCalls).size === settledCalls.length,
      `a call is settled twice: ${settledCalls.join(' ')}`,
    ),
  ];
}

export function placeOf({ scope, data }: ExecutionEvidence['journal'][number]): string {
  return callName(scope, { round: data.round ?? 0, position: data.position ?? 0 });
}

/** True if `result` is the last event, except for a title that it announces. */
function isEnding(lastTwo: ExecutionEvidence['events']): boolean {
  const names = lastTwo.map(({ event }) => event);
  return names.at(-1) === 'result' || (names[0] === 'result' && names[1] === 'title_generated');
}

export function ofEvents(evidence: ExecutionEvidence): string[] {
  const { events, view } = evidence;
  const ofRoot = events.filter(({ data }) => (data as { scope?: string }).scope === undefined);
  const winner = ofRoot.slice(ofRoot.findLastIndex((event) => event.event === 'attempt_restarted') + 1);
  const streamed = winner
    .map((event) => (event.event === 'text_delta' ? contentOf(event.data) : ''))
    .join('');
  const answer = view.result?.message.content;
  return [
    ...ofEventOrder(evidence),
    ...unless(answer === undefined || streamed === answer, `followers read "${streamed}", not "${answer}"`),
  ];
}

/** The violations of the event ids and the `result` event; the text of the answer is not checked. */
export function ofEventOrder({ events, view }: ExecutionEvidence): string[] {
  const results = events.filter((event) => event.event === 'result');
  return [
    ...unless(
      events.every((event, index) => event.id === index + 1),
      `event ids: ${events.map((event) => event.id).join(' ')}`,
    ),
    ...unless(results.length === 1 && isEnding(events.slice(-2)), `${results.length} result events`),
    ...unless(
      // Events do not repeat the request, which a read of the execution shows.
      isDeepStrictEqual(asJson(executionIn(results[0]?.data)), asJson(executionViewSchema.parse(view))),
      'the result event says something else',
    ),
  ];
}

/** The execution in the data of its `result` event. */
function executionIn(data: unknown): unknown {
  const parsed = executionResultSchema.safeParse(data);
  return parsed.success ? withoutResultDetails(parsed.data) : data;
}

/** The value after JSON serialisation, which drops differences such as prototypes. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null)) as unknown;
}

function contentOf(data: unknown): string {
  return (data as { content: string }).content;
}

export function ofModelRequest({ status, input }: ModelRequestSeen): string[] {
  const idsOf = (type: string) => input.filter((item) => item.type === type).map((item) => item.call_id);
  const asked = idsOf('function_call');
  const answered = idsOf('function_call_output');
  return [
    ...unless(status === 200, `the model's server answered ${status}`),
    ...unless(
      asked.join() === answered.join(),
      `calls ${asked.join()} are answered by outputs ${answered.join()}`,
    ),
  ];
}

export function ofWebhooks({ deliveries, received, view }: ExecutionEvidence, secret: string): string[] {
  const [delivery] = deliveries;
  const name = `webhook of ${view.id}`;
  if (deliveries.length !== 1 || !delivery) return [`${name}: ${deliveries.length} deliveries`];
  return [
    ...unless(delivery.status === 'delivered', `${name}: ${delivery.status}`),
    ...unless(delivery.type === `execution.${view.status}`, `${name}: ${delivery.type}`),
    ...unless(received.length > 0, `${name}: never arrived`),
    ...received.flatMap(({ headers, body }) => [
      ...unless(headers['webhook-id'] === delivery.id, `${name}: arrived as ${headers['webhook-id']}`),
      ...unless(body === delivery.body, `${name}: another body`),
      ...ofSignature(headers, body, secret).map((fault) => `${name}: ${fault}`),
    ]),
  ];
}

/** A violation names all that a signature is made of, since a wrong one cannot be repeated. */
function ofSignature(headers: Readonly<Record<string, string>>, body: string, secret: string): string[] {
  try {
    new Webhook(secret).verify(body, { ...headers });
    return [];
  } catch (error) {
    const signed = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
    return [`${String(error)} at ${Date.now()}: ${JSON.stringify(signed)}, secret ${secret}, ${body}`];
  }
}

export function unless(isWell: boolean, otherwise: string): string[] {
  return isWell ? [] : [otherwise];
}
