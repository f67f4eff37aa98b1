import type { Mutant } from './mutant.js';

const PACE = 'libs/executions/src/events/event-pace.ts';
const PACE_SPEC = 'libs/executions/src/events/event-pace.spec.ts';
const SINK = 'libs/executions/src/events/stream-event-sink.ts';
const SINK_SPEC = 'libs/executions/src/events/stream-event-sink.spec.ts';
const DOUBT_SPEC = 'libs/executions/src/events/appends-in-doubt.spec.ts';
const TEXT_SPEC = 'test/integration/worker/executions/streamed-text.spec.ts';
const REST = 'libs/executions/src/events/rest-of-text.ts';
const REST_SPEC = 'libs/executions/src/events/rest-of-text.spec.ts';
const EVENTS_SPEC = 'libs/executions/src/events/execution-events.spec.ts';
const FOLLOW = 'libs/executions/src/events/follow-events.ts';
const FOLLOW_SPEC = 'libs/executions/src/events/follow-events.spec.ts';
const STREAM_SPEC = 'test/contract/event-stream/event-stream.spec.ts';

/** Live events: prompt, in few writes, and delivered to every waiting follower. */
export const EVENT_MUTANTS: readonly Mutant[] = [
  {
    row: 'events',
    file: PACE,
    find: '      return 0;\n',
    replace: '      return SHORTEST_MS;\n',
    spec: PACE_SPEC,
    why: 'the first text of a round waits for more',
  },
  {
    row: 'events',
    file: PACE,
    find: 'Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (now - begun.at) * SHARE))',
    replace: 'SHORTEST_MS',
    spec: PACE_SPEC,
    why: 'a long answer costs forty writes a second',
  },
  {
    row: 'events',
    file: SINK,
    find: '    if (this.due !== null && this.due.at <= at) return;\n',
    replace: '    if (this.due !== null) return;\n',
    spec: PACE_SPEC,
    why: 'a tool call waits as long as the text before it',
  },
  {
    row: 'events',
    file: SINK,
    find: '    while (this.isWanted) {\n',
    replace: '    while (!this.buffer.isEmpty) {\n',
    spec: SINK_SPEC,
    why: 'each write is followed by one of what came during it',
  },
  {
    row: 'events',
    file: SINK,
    find: '    if (await this.listener.isCurrent()) return place;\n',
    replace: '    if (place > 0) return place;\n',
    spec: [DOUBT_SPEC, TEXT_SPEC],
    why: 'an attempt that was overtaken before it wrote revokes the text of its successor',
  },
  {
    row: 'events',
    file: SINK,
    find: `    const place = nextEventId(await this.stream.lastId(this.executionId));
    if (await this.listener.isCurrent()) return place;
`,
    replace: `    if (await this.listener.isCurrent())
      return nextEventId(await this.stream.lastId(this.executionId));
`,
    spec: DOUBT_SPEC,
    why: 'an attempt that is overtaken between the two questions writes after its successor',
  },
  {
    row: 'events',
    file: SINK,
    find: 'isStoredAs(event, firstId + index, there[index])',
    replace: 'there[index]?.event === event.event',
    spec: DOUBT_SPEC,
    why: 'events of somebody else are taken for those whose answer was lost',
  },
  {
    row: 'events',
    file: 'libs/executions/src/events/execution-events.ts',
    find: '  if (rest !== null) yield { id: nextId, ...rest };\n',
    replace: '',
    spec: EVENTS_SPEC,
    why: 'who follows never gets the end of a text whose worker died when it had settled',
  },
  {
    row: 'events',
    file: REST,
    find: 'for (const event of events) if (event.id <= lastId) shown',
    replace: 'for (const event of events) shown',
    spec: REST_SPEC,
    why: 'what is written while the ending is looked for is missing from the text',
  },
  {
    row: 'events',
    file: REST,
    find: "data.scope === undefined && data.round <= round ? '' : shown",
    replace: 'shown',
    spec: REST_SPEC,
    why: 'a text that a later attempt has dropped counts as shown',
  },
  {
    row: 'events',
    file: REST,
    find: '|| !content.startsWith(shown)',
    replace: '',
    spec: REST_SPEC,
    why: 'the end of an answer is put after another beginning',
  },
  {
    row: 'events',
    file: SINK,
    find: '        if (isTaken && !mayHaveLanded) this.nextId = null;\n',
    replace: '        if (isTaken) this.nextId = null;\n',
    spec: DOUBT_SPEC,
    why: 'text that lands late is written twice',
  },
  {
    row: 'events',
    file: 'libs/event-stream/src/postgres/postgres-event-stream.ts',
    find: '(error) => hasDoneNothing(sqlStateOf(error))',
    replace: '() => false',
    spec: STREAM_SPEC,
    why: 'one writer who is beaten to a number fails the events of others',
  },
  {
    row: 'events',
    file: 'libs/event-stream/src/postgres/postgres-statements.ts',
    find: 'last.id >= append.first_id',
    replace: 'last.id = append.first_id',
    spec: STREAM_SPEC,
    why: 'a worker that was overtaken writes below the events of its successor',
  },
  {
    row: 'events',
    file: 'libs/event-stream/src/postgres/postgres-statements.ts',
    find: '           JOIN free ON free.place = announced.place\n',
    replace: '',
    spec: STREAM_SPEC,
    why: 'followers hear what a worker that was overtaken could not write',
  },
  {
    row: 'events',
    file: 'libs/event-stream/src/append-watches.ts',
    find: 'later.length > 0 && isWhole ? later : null',
    replace: 'later.length > 0 ? later : null',
    spec: 'libs/event-stream/src/append-watches.spec.ts',
    why: 'an event whose wake-up was lost is passed over',
  },
  {
    row: 'events',
    file: 'libs/event-stream/src/missed-appends.ts',
    find: 'for (const executionId of grown) watches.wake(executionId, null);',
    replace: 'if (grown.length === 0) watches.wakeAll();',
    spec: 'libs/event-stream/src/missed-appends.spec.ts',
    why: 'what was appended without a wake-up is never seen',
  },
  {
    row: 'events',
    file: 'libs/event-stream/src/followers.ts',
    find: 'const isAwaited = isAtRest && this',
    replace: 'const isAwaited = this',
    spec: 'libs/event-stream/src/followers.spec.ts',
    why: 'each piece of text has those look who wait for the end',
  },
  {
    row: 'events',
    file: 'libs/event-stream/src/wake-up.ts',
    find: 'Buffer.byteLength(line) <= MOST_BYTES',
    replace: 'line.length <= MOST_BYTES',
    spec: 'libs/event-stream/src/wake-up.spec.ts',
    why: 'PostgreSQL refuses the events of everybody for one long result',
  },
  {
    row: 'events',
    file: FOLLOW,
    find: '        this.suspectedAt = clock.monotonic();\n        this.onSuspicion();\n',
    replace: '        this.suspectedAt = -Infinity;\n        this.onSuspicion();\n',
    spec: FOLLOW_SPEC,
    why: 'a result that is on its way is taken for lost',
  },
  {
    row: 'events',
    file: FOLLOW,
    find: '        this.onSuspicion();\n',
    replace: '',
    spec: FOLLOW_SPEC,
    why: 'a follower whose result was lost learns it with the next heartbeat only',
  },
  {
    row: 'events',
    file: 'libs/executions/src/attempt/attempt-waits.ts',
    find: 'next !== null && this.brief.has(next) ? null : next',
    replace: 'next',
    spec: 'libs/executions/src/attempt/attempt-waits.spec.ts',
    why: 'every short backoff fills the stream',
  },
];
