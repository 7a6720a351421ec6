import 'uplot/dist/uPlot.min.css';

import uPlot from 'uplot';

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
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: { x: { time: true }, y: { range: (_, __, most) => [0, isShare ? 1 : Math.max(4, most)] } },
    axes: [
      { ...axis, grid: { show: false }, ...(isDaily && { values: dayLabels }) },
      {
        ...axis,
        grid,
        size: 44,
        incrs: isShare ? [0.25, 0.5] : [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000],
        values: (_, values) => values.map((one) => (isShare ? `${Math.round(one * 100)} %` : String(one))),
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
    width: 2,
    points: { show: isDaily, size: 6, fill: stroke },
    ...(!isDaily && bars && { fill: `${stroke}33`, paths: bars({ size: [0.7, 14], radius: 0.2 }) }),
  };
}

function dayLabels(_: uPlot, values: readonly number[]): string[] {
  return values.map((seconds) => new Date(seconds * 1_000).toISOString().slice(5, 10));
}
