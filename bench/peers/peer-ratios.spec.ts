import { describe, expect, it } from '@jest/globals';
import type { Measured, WayMeasured } from '../measure/measure-runs.mjs';
import { peerRatios } from './peer-ratios.mjs';
import { peersTable } from './peers-table.mjs';
import type { PeerResult } from './summarize.mjs';

const cpu = (system: number) => ({ system, postgres: 1, redis: 0.5, model: 9, load: 9 });
const way = (rate: number, aloneP50: number, systemMs: number): WayMeasured => ({
  rate,
  p50: 1_000 / rate,
  p99: 2_000 / rate,
  aloneP50,
  cpu: cpu(systemMs),
  loadShare: 0.1,
});
const round = (once: number, twice: number, aloneP50 = 60, systemMs = 3): Measured => ({
  once: way(once, aloneP50, systemMs),
  twice: way(twice, aloneP50 + 1, systemMs),
  memory: 300e6,
});
const result = (key: string, rounds: Measured[], notMeasured: string | null = null): PeerResult => ({
  key,
  title: key,
  durable: 'yes',
  lacks: 'webhooks',
  packages: {},
  rounds,
  notMeasured,
});

describe('peerRatios', () => {
  it('compares round by round and takes the middle, so that a machine that slows down hits both alike', () => {
    const ours = result('capstan-redis', [round(400, 300), round(200, 150), round(100, 75)]);
    const theirs = result('bullmq', [round(400, 300), round(160, 120), round(50, 50)]);
    const rates = peerRatios([ours, theirs]).filter(({ unit }) => unit === '');
    expect(rates.map(({ value }) => value)).toEqual([1.25, 1.25]);
  });

  it('holds each queue to its own aims', () => {
    const all = [
      result('capstan-postgres', [round(80, 80)]),
      result('capstan-redis', [round(80, 80)]),
      result('bullmq', [round(100, 100)]),
    ];
    const [ofPostgres, ofRedis] = ['capstan-postgres', 'capstan-redis'].map((key) =>
      peerRatios(all).filter(({ name }) => name.startsWith(`${key} / bullmq`)),
    );
    expect(ofPostgres?.map(({ aim }) => aim)).toEqual([
      { value: 0.9, isAtLeast: true, isMet: false },
      { value: 0.8, isAtLeast: true, isMet: true },
    ]);
    expect(ofRedis?.map(({ aim }) => aim?.value)).toEqual([1, 0.9]);
  });

  it('holds one client to what is done by hand', () => {
    const all = [result('capstan-redis', [round(80, 80, 66)]), result('bullmq', [round(100, 100, 60)])];
    expect(peerRatios(all).filter(({ name }) => name.includes(' over '))).toMatchObject([
      { value: 6, aim: { isMet: false } },
      { value: 6, aim: { isMet: false } },
    ]);
  });

  it('holds the CPU of a run to its aim, and to that of the floor round by round', () => {
    const floor = result('floor', [round(900, 900, 50, 0.5), round(900, 900, 50, 3)]);
    const all = [result('capstan-redis', [round(80, 80, 66, 4.5), round(80, 80, 66, 3)]), floor];
    expect(peerRatios(all).filter(({ name }) => name.includes('CPU'))).toMatchObject([
      { value: 5.25, unit: 'ms', aim: { value: 3, isMet: false } },
      { value: 2, unit: '', aim: { value: 2.8, isMet: true } },
    ]);
  });

  it('says nothing of what was not measured', () => {
    const all = [result('capstan-redis', [round(80, 80)]), result('restate', [], 'npm install failed')];
    expect(peerRatios(all).map(({ name }) => name)).toEqual(['capstan-redis: CPU a run, one request']);
  });
});

describe('peersTable', () => {
  it('names what was not measured, with the reason', () => {
    const lines = peersTable([
      result('capstan-redis', [round(80, 70)]),
      result('restate', [], 'npm install failed'),
    ]).split('\n');
    expect(lines[2]).toMatch(
      /^\| capstan-redis \| 4.50 · 4.50 +\| 80.0 · 70.0 .*\| 60.0 · 61.0 .*\| 300 +\| yes +\| webhooks +\|$/,
    );
    expect(lines[3]).toMatch(/^\| restate +\| not measured: npm install failed .*\| yes +\| webhooks +\|$/);
  });
});
