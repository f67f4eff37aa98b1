// @ts-check
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { say, style } from '../../scripts/local/terminal.ts';
import { backendsToRun } from '../backends.mjs';
import { describeMachine } from '../measure/machine.mjs';
import { keepOnDisk } from '../measure/redis-counters.mjs';
import { requireQuiet } from '../measure/require-quiet.mjs';
import { writeResults } from '../present/write-results.mjs';
import { startBenchServices } from '../services/bench-services.mjs';
import { installPackages } from './install-packages.mjs';
import { measureRuns } from '../measure/measure-runs.mjs';
import { FOLLOWED, OURS, PEERS } from './peer-list.mjs';
import { peerRatios } from './peer-ratios.mjs';
import { openStage } from './peer-stage.mjs';
import { peersTable, ratiosTable } from './peers-table.mjs';
import { startFakeModel } from '../services/start-fake-model.mjs';
import { summarize } from './summarize.mjs';
import { capstan } from './systems/capstan.mjs';

/** Maximum concurrent runs of one worker, in every system with this setting. */
const CONCURRENCY = 50;
const MAX_OF_REASON = 120;

/**
 * Runs every system with the same job and clients, each alone but interleaved round by round, and prints and writes the
 * results.
 * @param {object} bench
 * @param {string} bench.root
 * @param {import('../../scripts/local/run-until-stopped.ts').CommandContext} bench.context
 * @param {import('./peer-arguments.mjs').PeerOptions} bench.options
 * @returns {Promise<number>} the exit code: 1 when Capstan broke off
 */
export async function comparePeers({ root, context, options }) {
  const startedAt = new Date().toISOString();
  const loadBefore = loadavg();
  requireQuiet(options);
  const packages = preparePackagesFolder(options.packages, context);
  const services = await startBenchServices({
    root,
    context,
    options: { isProfiled: false, isSmall: false },
  });
  if (services.redisUrl !== null) await keepOnDisk(services.redisUrl);
  const model = await startFakeModel({ root, context });
  const helpers = {
    postgresPid: services.postgresPid,
    redisPid: services.redisPid,
    modelPid: model.pid,
  };
  const systems = await installAll({ options, packages, context, hasRedis: services.redisUrl !== null });

  for (let round = 1; round <= options.rounds; round += 1) {
    for (const { system, result } of systems) {
      if (result.notMeasured !== null) continue;
      const stage = openStage({
        root,
        services,
        context,
        key: system.key,
        packages,
        modelServer: model.url,
        concurrency: CONCURRENCY,
      });
      try {
        const measured = await measureRuns(await system.open(stage), helpers, options.runs);
        result.rounds.push(measured);
        say(`${round}/${options.rounds} ${system.title}: ${inOneLine(result, measured)}`);
      } catch (error) {
        context.signal.throwIfAborted();
        const reason = error instanceof Error ? error.message : String(error);
        say(`${style.red('✗')} ${system.title}: ${reason}`);
        result.notMeasured = reason.split('\n')[0]?.slice(0, MAX_OF_REASON) ?? reason;
      } finally {
        await stage.close();
      }
    }
  }

  const results = systems.map(({ result }) => result);
  const ratios = peerRatios(results);
  const machine = await describeMachine({ root, services, loadBefore });
  const out = options.out ?? join(root, '.local', 'bench', 'peers.json');
  const { rounds, runs } = options;
  writeResults(out, { startedAt, endedAt: new Date().toISOString(), machine, rounds, runs, results, ratios });
  say(`\n${peersTable(results)}\n\n${ratiosTable(ratios)}\n\nFigures as JSON: ${out}`);
  return results.some(({ key, rounds }) => key.startsWith('capstan') && rounds.length === 0) ? 1 : 0;
}

/**
 * @param {string | null} wanted
 * @param {import('../../scripts/local/run-until-stopped.ts').CommandContext} context
 */
function preparePackagesFolder(wanted, context) {
  if (wanted !== null) {
    mkdirSync(wanted, { recursive: true });
    return resolve(wanted);
  }
  const folder = mkdtempSync(join(tmpdir(), 'capstan-bench-peers-'));
  context.onStop(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * @param {object} what
 * @param {import('./peer-arguments.mjs').PeerOptions} what.options
 * @param {string} what.packages
 * @param {import('../../scripts/local/run-until-stopped.ts').CommandContext} what.context
 * @param {boolean} what.hasRedis
 */
async function installAll({ options, packages, context, hasRedis }) {
  const backends = backendsToRun(options.backend, hasRedis);
  const ours = OURS.filter((key) => options.keys.includes(key)).flatMap((key) =>
    backends.map((backend) => capstan(backend, { isFollowed: key === FOLLOWED })),
  );
  const peers = PEERS.filter(({ key }) => options.keys.includes(key));
  const all = [];
  for (const system of [...ours, ...peers]) {
    const { key, title, durable, lacks, packages: needed } = system;
    /** @type {{notMeasured: string | null, rounds: import('../measure/measure-runs.mjs').Measured[]}} */
    const found = { rounds: [], notMeasured: null };
    if (Object.keys(needed).length > 0) {
      say(style.dim(`installing ${key}`));
      found.notMeasured = await installPackages({
        system,
        folder: join(packages, key),
        signal: context.signal,
      });
    }
    if (key === 'bullmq' && !hasRedis) found.notMeasured = 'redis-server is not installed';
    all.push({ system, result: { key, title, durable, lacks, packages: needed, ...found } });
  }
  return all;
}

/** @param {import('./summarize.mjs').PeerResult} result @param {import('../measure/measure-runs.mjs').Measured} measured */
function inOneLine(result, measured) {
  const only = { ...result, rounds: [measured] };
  return /** @type {const} */ (['once', 'twice'])
    .map((way) => {
      const { rate, aloneP50, cpuMs } = summarize(only, way);
      const { loadShare } = measured[way];
      const load = `load generator ${Math.round(loadShare * 100)} % of a core`;
      return `${way} ${rate.toFixed(0)}/s, alone ${aloneP50.toFixed(1)} ms, CPU ${cpuMs.toFixed(1)} ms, ${load}`;
    })
    .join('; ');
}
