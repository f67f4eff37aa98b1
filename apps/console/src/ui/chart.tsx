import { lazy, Suspense, useState, type KeyboardEvent } from 'react';
import './chart.css';
import { knownSum, type ChartSeries } from './stack-series.js';

const ChartCanvas = lazy(() => import('./chart-canvas.js'));

interface ChartProps {
  readonly label: string;
  /** Beginnings of the parts, as Unix times in seconds. */
  readonly times: readonly number[];
  /** Length of a part in seconds. */
  readonly step: number;
  /** From the bottom of the stack upwards. */
  readonly series: readonly ChartSeries[];
  readonly format: (value: number | null) => string;
}

const HEIGHT = 200;

/** Stacked bars over time. The values of a part are read below it, under the pointer or by the arrow keys. */
export function Chart({ label, times, step, series, format }: ChartProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const place = chosen !== null && chosen < times.length ? chosen : null;
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (move === undefined) return;
    event.preventDefault();
    setChosen(Math.min(times.length - 1, Math.max(0, (place ?? times.length) + move)));
  };
  return (
    <figure aria-label={label}>
      <div
        role="group"
        aria-label={`${label}: choose a part by the arrow keys`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div style={{ height: HEIGHT }} className="overflow-hidden">
          <Suspense fallback={null}>
            <ChartCanvas
              times={times}
              step={step}
              series={series}
              height={HEIGHT}
              format={format}
              chosen={place}
              onChoose={setChosen}
            />
          </Suspense>
        </div>
      </div>
      <figcaption
        className="flex min-h-6 flex-wrap items-center gap-x-4 gap-y-1 pt-1 text-sm"
        aria-live="polite"
      >
        <span className="w-40 text-muted">
          {place === null ? 'All parts' : partName(times[place] ?? 0, step)}
        </span>
        {series.map(({ name, colour, values }, index) => (
          <span key={`${index} ${name}`} className="flex max-w-72 items-center gap-1.5">
            <Swatch colour={colour} />
            <span className="truncate" title={name}>
              {name}
            </span>
            <span className="text-muted">
              {format(place === null ? knownSum(values) : (values[place] ?? null))}
            </span>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** Colour of a series beside its name. */
export function Swatch({ colour }: { readonly colour: string }) {
  return <span aria-hidden className="size-2.5 shrink-0 rounded-xs" style={{ backgroundColor: colour }} />;
}

const DAY = 86_400;
const DAY_NAME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const TIME_NAME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

function partName(time: number, step: number): string {
  const date = new Date(time * 1000);
  return step >= DAY ? `${DAY_NAME.format(date)} (UTC)` : TIME_NAME.format(date);
}
