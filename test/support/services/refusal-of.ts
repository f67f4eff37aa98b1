import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import { reservePort } from './reserve-port.js';
import { programFile, type ProgramName } from '../../../scripts/build/programs.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Runs a program that has to refuse to start; returns its errors. */
export async function refusalOf(
  program: ProgramName,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const ports = { PORT: String(await reservePort()), WORKER_PORT: String(await reservePort()) };
  const child = spawn(process.execPath, [join(ROOT, programFile(program))], {
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'silent', ...ports, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [said, code] = await Promise.all([text(child.stderr), ended]);
  expect([program, code, said]).toEqual([program, 1, said]);
  return said;
}
