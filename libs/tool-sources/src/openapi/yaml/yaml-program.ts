import { watchProcess, type WatchedLimits } from '#libs/bounded-process';
import { DocumentFault } from '../document-fault.js';
import { AT_FAULT, CONVERTED, type YamlFault, type YamlOrder } from './yaml-protocol.js';
import { yamlToJson } from './yaml-to-json.js';

/** The whole life of a process that converts one text: YAML from standard input, JSON or a fault to standard output. */
const order = JSON.parse(process.argv[2] ?? '{}') as YamlOrder & WatchedLimits;
watchProcess(order);
try {
  process.stdout.write(yamlToJson(await readInput(), order.file));
  process.exitCode = CONVERTED;
} catch (error) {
  if (!(error instanceof DocumentFault)) throw error;
  const fault: YamlFault = { place: error.place, reason: error.reason };
  process.stdout.write(JSON.stringify(fault));
  process.exitCode = AT_FAULT;
}

async function readInput(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts.splice(0)).toString();
}
