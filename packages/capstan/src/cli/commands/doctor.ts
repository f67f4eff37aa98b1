import type { Command } from 'commander';
import { examine, type Check } from '../doctor.js';
import type { Act } from '../act.js';
import { EXIT } from '../exit-codes.js';
import { jsonLine, plainText } from '../format/plain-text.js';
import type { Session } from '../session.js';

const MARKS = { ok: '✓', warning: '!', failed: '✗' } as const;
const STYLES = { ok: 'green', warning: 'yellow', failed: 'red' } as const;

export function addDoctorCommand(program: Command, act: Act): void {
  program
    .command('doctor')
    .description('check address, clock, readiness, key and version of the service')
    .option(
      '--environment',
      'check the environment of this process instead, as a service would use it: database, pooler, Redis, TLS, clocks, model keys, ports, disk',
    )
    .action(
      act(async (session, { environment }: { readonly environment?: boolean }) => {
        const { client, signal, surroundings } = session;
        const { version, now } = surroundings;
        let isWell = true;
        const checks =
          environment === true
            ? (await surroundings.loadService()).examine()
            : examine({ client, signal, version, now });
        for await (const check of checks) {
          isWell &&= check.outcome !== 'failed';
          for (const line of linesOf(session, check)) surroundings.write(`${line}\n`);
        }
        return isWell ? EXIT.done : EXIT.refused;
      }),
    );
}

function linesOf(session: Session, check: Check): string[] {
  if (session.isJson) return [jsonLine(check)];
  const { name, outcome, found, advice } = check;
  const mark = session.style(STYLES[outcome], MARKS[outcome]);
  return [
    `${mark} ${name.padEnd(10)} ${plainText(found)}`,
    ...(advice === null ? [] : [`  ${' '.repeat(10)} → ${advice}`]),
  ];
}
