import { watchProcess, type WatchedLimits } from '#libs/bounded-process';
import type { DescriptionText } from '../parse-description.js';
import { readDescription } from './read-description.js';

/** The whole life of a process that reads one description: from standard input, as JSON, to standard output. */
watchProcess(JSON.parse(process.argv[2] ?? '{}') as WatchedLimits);
const parts: Buffer[] = [];
for await (const part of process.stdin as AsyncIterable<Buffer>) parts.push(part);
const document = JSON.parse(Buffer.concat(parts.splice(0)).toString()) as DescriptionText;
process.stdout.write(JSON.stringify(readDescription(document)));
