import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';

import { formatMinute } from '../pure/format.js';
import type { ChartProps, DrawnChart, Series } from './chart.js';

const HEIGHT = 180;

/** Draws into `box` and follows its width. */
export function drawChart(box: HTMLElement, props: ChartProps): DrawnChart {
  const chart = new uPlot(optionsOf(box, props), dataOf(props), box);
  const resize = new ResizeObserver(() => {
    chart.setSize({ width: Math.max(120, box.clientWidth), height: HEIGHT });
  });
  resize.observe(box);
  return {
    update: (next) => chart.setData(dataOf(next)),
    destroy() {
      resize.disconnect();
      chart.destroy();
    },
  };
}

function dataOf({ times, series }: ChartProps): uPlot.AlignedData {
  return [[...times], ...series.map(({ values }) => [...values])];
}

function optionsOf(box: HTMLElement, { series, isShare, isDaily }: ChartProps): uPlot.Options {
  const colors = getComputedStyle(document.documentElement);
  const color = (name: string) => colors.getPropertyValue(`--${name}`).trim();
  const font = `12px ${color('font')}`;
  const axis = { stroke: color('muted'), font, ticks: { show: false } };
  const grid = { stroke: color('line'), width: 1 };
  return {
    width: Math.max(120, box.clientWidth),
    height: HEIGHT,
    padding: [8, 12, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      x: { time: true, range: (chart) => wholeRange(chart.data[0], isDaily === true) },
      y: { range: (_, __, most) => [0, isShare ? 1 : Math.max(4, most)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 70,
        values: isDaily ? dayLabels : clockLabels,
      },
      {
        ...axis,
        grid,
        size: 44,
        incrs: isShare ? [0.25, 0.5] : [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000],
        values: (_, values) =>
          values.map((one) => (isShare ? `${Math.round(one * 100)} %` : String(one))),
      },
    ],
    series: [{}, ...series.map((one) => lineOf(one, color, isDaily === true))],
  };
}

function lineOf(
  { name, color: tone }: Series,
  color: (name: string) => string,
  isDaily: boolean,
): uPlot.Series {
  const { bars } = uPlot.paths;
  const stroke = color(tone === 'accent' ? 'accent' : `${tone}-fill`);
  return {
    label: name,
    stroke,
    width: isDaily ? 2 : 0,
    points: { show: isDaily, size: 6, fill: stroke },
    ...(!isDaily && bars && { fill: stroke, paths: bars({ size: [0.7, 14], radius: 0.2 }) }),
  };
}

const LEAST_DAYS = 7;
const DAY_S = 86_400;

/** A few days around a single one, so that its point stands somewhere. */
function wholeRange(times: ArrayLike<number>, isDaily: boolean): [number, number] {
  const first = times[0] ?? 0;
  const last = times[times.length - 1] ?? 0;
  if (!isDaily) return [first - 30, last + 30];
  return [Math.min(first, last - (LEAST_DAYS - 1) * DAY_S) - DAY_S / 4, last + DAY_S / 4];
}

/** The places of ticks need not be whole days, and one day is named once. */
function dayLabels(_: uPlot, values: readonly number[]): string[] {
  const days = values.map((seconds) => new Date(seconds * 1_000).toISOString().slice(5, 10));
  return days.map((day, place) => (day === days[place - 1] ? '' : day));
}

function clockLabels(_: uPlot, values: readonly number[]): string[] {
  return values.map((seconds) => formatMinute(seconds * 1_000));
}
