import { describe, expect, it } from '@jest/globals';
import type { Measured, WayMeasured } from '../measure/measure-runs.mjs';
import { peerRatios } from './peer-ratios.mjs';
import { peersTable } from './peers-table.mjs';
import type { PeerResult } from './summarize.mjs';

const cpu = { system: 3, postgres: 1, redis: 0.5, model: 9, load: 9 };
const way = (rate: number, aloneP50: number): WayMeasured => ({
  rate,
  p50: 1_000 / rate,
  p99: 2_000 / rate,
  aloneP50,
  cpu,
  loadShare: 0.1,
});
const round = (once: number, twice: number, aloneP50 = 60): Measured => ({
  once: way(once, aloneP50),
  twice: way(twice, aloneP50 + 1),
  memory: 300e6,
});
const result = (key: string, rounds: Measured[], notMeasured: string | null = null): PeerResult => ({
  key,
  title: key,
  durable: 'yes',
  packages: {},
  rounds,
  notMeasured,
});

describe('peerRatios', () => {
  it('compares round by round and takes the middle, so that a machine that slows down hits both alike', () => {
    const ours = result('capstan-redis', [round(400, 300), round(200, 150), round(100, 75)]);
    const theirs = result('bullmq', [round(400, 300), round(160, 120), round(50, 50)]);
    const rates = peerRatios([ours, theirs]).filter(({ unit }) => unit === '');
    expect(rates.map(({ value }) => value)).toEqual([1.25, 1.25, 5 / 3]);
  });

  it('holds each queue to its own aims', () => {
    const all = [
      result('capstan-postgres', [round(80, 80)]),
      result('capstan-redis', [round(80, 80)]),
      result('bullmq', [round(100, 100)]),
    ];
    const [ofPostgres, ofRedis] = ['capstan-postgres', 'capstan-redis'].map((key) =>
      peerRatios(all).find(({ name }) => name.startsWith(`${key} / bullmq`)),
    );
    expect(ofPostgres).toMatchObject({ value: 0.8, aim: { value: 0.8, isMet: true } });
    expect(ofRedis).toMatchObject({ value: 0.8, aim: { value: 1, isMet: false } });
  });

  it('holds one client to what is done by hand', () => {
    const all = [result('capstan-redis', [round(80, 80, 66)]), result('bullmq', [round(100, 100, 60)])];
    expect(peerRatios(all).find(({ unit }) => unit === 'ms')).toMatchObject({
      value: 6,
      aim: { isMet: false },
    });
  });

  it('says nothing of what was not measured', () => {
    const all = [result('capstan-redis', [round(80, 80)]), result('restate', [], 'npm install failed')];
    expect(peerRatios(all)).toEqual([]);
  });
});

describe('peersTable', () => {
  it('names what was not measured, with the reason', () => {
    const lines = peersTable([
      result('capstan-redis', [round(80, 70)]),
      result('restate', [], 'npm install failed'),
    ]).split('\n');
    expect(lines[2]).toMatch(
      /^\| capstan-redis \| yes +\| 80.0 · 70.0 .*\| 60.0 · 61.0 .*\| 300 +\| 4.50 · 4.50 +\|$/,
    );
    expect(lines[3]).toMatch(/^\| restate +\| yes +\| not measured: npm install failed/);
  });
});
