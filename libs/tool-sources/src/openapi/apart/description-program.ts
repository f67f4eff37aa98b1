import { watchProcess, type WatchedLimits } from '#libs/bounded-process';
import type { DescriptionText } from '../parse-description.js';
import { prepareService, type PreparationLimits, type ServiceEnd } from '../prepare-service.js';
import { DocumentFault } from '../document-fault.js';
import { readDescription } from './read-description.js';
import { writeLine } from './service-lines.js';

/** Order for one process: check a description, or with limits, prepare its operations. */
export interface DescriptionOrder {
  readonly limits: PreparationLimits | null;
}

/** Processes one description: JSON from standard input, result to standard output. */
const order = JSON.parse(process.argv[2] ?? '{}') as WatchedLimits & DescriptionOrder;
watchProcess(order);
const parts: Buffer[] = [];
for await (const part of process.stdin as AsyncIterable<Buffer>) parts.push(part);
const document = JSON.parse(Buffer.concat(parts.splice(0)).toString()) as DescriptionText;
if (order.limits === null) process.stdout.write(JSON.stringify(readDescription(document)));
else for (const line of linesOf(document, order.limits)) process.stdout.write(`${line}\n`);

function* linesOf(text: DescriptionText, limits: PreparationLimits): Generator<string> {
  try {
    const end = yield* operationsOf(text, limits);
    yield writeLine({ kind: 'end', ...end });
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    yield writeLine({ kind: 'fault', text: error.message });
  }
}

function* operationsOf(text: DescriptionText, limits: PreparationLimits): Generator<string, ServiceEnd> {
  const preparing = prepareService(text, limits);
  for (;;) {
    const { done, value } = preparing.next();
    if (done === true) return value;
    yield writeLine({ kind: 'operation', ...value });
  }
}
