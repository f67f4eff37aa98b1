import { useEffect, useEffectEvent, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { stackSeries, type ChartSeries } from './stack-series.js';
import { useWidth } from './width.js';

interface ChartCanvasProps {
  readonly times: readonly number[];
  readonly step: number;
  readonly series: readonly ChartSeries[];
  readonly height: number;
  readonly format: (value: number) => string;
  readonly chosen: number | null;
  readonly onChoose: (place: number | null) => void;
}

/** The drawing of a chart, by uPlot. It is redrawn when the theme changes, since a canvas has colours of its own. */
export default function ChartCanvas(props: ChartCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const width = useWidth(host);
  const { times, step, series, height, chosen } = props;
  const drawing = JSON.stringify([times, step, series]);
  const choose = useEffectEvent((place: number | null): void => {
    if (place !== props.chosen) props.onChoose(place);
  });
  const make = useEffectEvent((element: HTMLElement): UPlot => {
    const options = optionsOf(props, width, (value) => colourOf(element, value));
    options.hooks = { setCursor: [({ cursor }) => choose(cursor.idx ?? null)] };
    return new UPlot(options, dataOf(props), element);
  });
  useEffect(() => {
    const element = host.current;
    if (element === null || width === 0) return undefined;
    const made = make(element);
    plot.current = made;
    const stop = onThemeChange(() => made.redraw());
    return () => {
      stop();
      made.destroy();
      plot.current = null;
    };
  }, [drawing, width, height]);
  useEffect(() => {
    const shown = plot.current;
    if (shown === null || shown.cursor.idx === chosen) return;
    const time = chosen === null ? undefined : times[chosen];
    const left = time === undefined ? -10 : shown.valToPos(time + step / 2, 'x');
    shown.setCursor({ left, top: 0 }, false);
  }, [chosen, times, step]);
  return <div ref={host} aria-hidden className="chart-canvas size-full" />;
}

function dataOf({ times, step, series }: ChartCanvasProps): UPlot.AlignedData {
  const heights = stackSeries(series.map(({ values }) => values)).toReversed();
  // A bar stands in the middle of its part.
  return [times.map((time) => time + step / 2), ...heights];
}

function optionsOf(props: ChartCanvasProps, width: number, colour: (value: string) => string): UPlot.Options {
  const { times, step, series, height, format } = props;
  const end = (times.at(-1) ?? 0) + step;
  const bars = UPlot.paths.bars?.({ size: [0.75, 40] });
  const axis: UPlot.Axis = {
    stroke: () => colour('var(--color-muted)'),
    grid: { stroke: () => colour('var(--color-line)'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  };
  return {
    width,
    height,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
    ...(step >= DAY ? { tzDate: (time: number) => UPlot.tzDate(new Date(time * 1000), 'Etc/UTC') } : {}),
    scales: {
      x: { range: [times[0] ?? 0, end] },
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.05 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 24,
        grid: { show: false },
        splits: () => ticksOf(times, width).map((time) => time + step / 2),
        values: (_plot, splits) =>
          splits.map((time, at) => tickOf(time - step / 2, splits[at - 1] ?? time, step)),
      },
      { ...axis, size: 56, space: 36, values: (_plot, splits) => splits.map(format) },
    ],
    series: [
      {},
      ...series.toReversed().map(({ name, colour: value }): UPlot.Series => {
        const paths = bars === undefined ? {} : { paths: bars };
        return { label: name, fill: () => colour(value), width: 0, points: { show: false }, ...paths };
      }),
    ],
  };
}

/** Pixels between the middles of two labels. */
const TICK_WIDTH = 72;

/** Parts that are named below the axis: all of them where there is room, else each second, third and so on. */
function ticksOf(times: readonly number[], width: number): number[] {
  const every = Math.ceil(times.length / Math.max(1, Math.floor(width / TICK_WIDTH)));
  return times.filter((_, index) => index % every === 0);
}

const DAY = 86_400;
const DAY_TICK = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const LOCAL_DAY_TICK = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const HOUR_TICK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** A part is named by its hour, and by its day where the name before is of another day. */
function tickOf(time: number, before: number, step: number): string {
  const date = new Date(time * 1000);
  if (step >= DAY) return DAY_TICK.format(date);
  const isOtherDay = new Date(before * 1000).toDateString() !== date.toDateString();
  return isOtherDay ? LOCAL_DAY_TICK.format(date) : HOUR_TICK.format(date);
}

/** A CSS colour as the canvas takes it: without variables and `light-dark()`. */
function colourOf(element: HTMLElement, value: string): string {
  const probe = document.createElement('span');
  probe.style.color = value;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function onThemeChange(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(listener);
  system.addEventListener('change', listener);
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  return () => {
    system.removeEventListener('change', listener);
    chosen.disconnect();
  };
}
