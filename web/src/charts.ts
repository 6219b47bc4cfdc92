// Live charts: energies, where the probes are, and any other column of the metrics by choice.

import uPlot from 'uplot';
import { byId, make } from './dom';
import { Scene, Status } from './protocol';

const mostPoints = 2000; // of a curve; then every second one is left out
const inks = ['#2f6db5', '#e07b39', '#3c9d6b', '#c8473f', '#7d5ba6', '#b8902a', '#2a9da8', '#d4668f', '#8a6b4f', '#5b7083'];

/** Some columns over time, for one or two solvers. */
class Chart {
  readonly element = make('figure');
  private plot: uPlot | null = null;
  private data: (number | null)[][] = [];

  constructor(
    title: string, unit: string,
    private readonly columns: string[], private readonly solvers: string[],
  ) {
    this.element.append(make('figcaption', {}, unit ? `${title} [${unit}]` : title));
    this.clear();
  }

  clear(): void {
    this.data = Array.from({ length: 1 + this.columns.length * this.solvers.length }, () => []);
    this.plot?.setData(this.data as uPlot.AlignedData);
  }

  /** One row: the time, then the value of each column of each solver. */
  add(time: number, values: (number | null)[]): void {
    this.data[0].push(time);
    values.forEach((value, k) => this.data[k + 1].push(value));
    if (this.data[0].length > mostPoints) this.data = this.data.map((column) => column.filter((_, k) => k % 2 === 0));
  }

  draw(): void {
    if (!this.plot) this.plot = new uPlot(this.options(), this.data as uPlot.AlignedData, this.element);
    const width = this.element.clientWidth - 14, height = Math.max(this.element.clientHeight - 62, 60); // within padding, title, legend
    if (width > 0 && (this.plot.width !== width || this.plot.height !== height)) this.plot.setSize({ width, height });
    this.plot.setData(this.data as uPlot.AlignedData);
  }

  dispose(): void {
    this.plot?.destroy();
  }

  private options(): uPlot.Options {
    const ink = getComputedStyle(document.documentElement).getPropertyValue('--faint').trim();
    const axis = { stroke: ink, font: '11px system-ui', grid: { stroke: ink + '33', width: 1 }, ticks: { stroke: ink + '33', size: 4 } };
    const series = this.solvers.flatMap((solver, side) => this.columns.map((column, k) => ({
      label: this.solvers.length > 1 ? `${column} (${solver})` : column,
      stroke: inks[k % inks.length], width: 1.5, dash: side ? [5, 4] : [], spanGaps: true,
      value: (_: uPlot, value: number | null) => (value === null ? '–' : Number(value.toPrecision(4)).toString()),
    })));
    return {
      width: 300, height: 120, series: [{ label: 't', value: (_, t) => (t === null ? '–' : `${t.toFixed(2)} s`) }, ...series],
      scales: { x: { time: false } },
      axes: [{ ...axis, size: 26 }, { ...axis, size: 54, values: (_, ticks) => ticks.map((tick) => Number(tick.toPrecision(4)).toString()) }],
      cursor: { points: { size: 5 }, drag: { x: true, y: false } },
    };
  }
}

const energies = ['kinetic', 'elastic', 'gravity', 'friction_work', 'contact_loss', 'total_energy'];
const mostPositions = 9; // curves in one chart

export class Charts {
  private readonly box = byId('charts');
  private charts: { chart: Chart; places: number[] }[] = [];
  private lastTime = -Infinity;
  private sides = 1;
  private chosen = ''; // the column that a person wants to see, empty: positions of probes

  open(scene: Scene): void {
    for (const { chart } of this.charts) chart.dispose();
    this.box.replaceChildren();
    this.sides = scene.sides;
    if (!scene.chart_columns.includes(this.chosen)) this.chosen = '';
    const places = scene.chart_columns.map((_, k) => k), name = (k: number) => scene.chart_columns[k];
    const positions = places.filter((k) => /\.[xyz]$/.test(name(k))).slice(0, mostPositions);
    const second = this.chosen || !positions.length ? [Math.max(scene.chart_columns.indexOf(this.chosen), 0)] : positions;
    this.charts = [];
    this.add(scene, 'Energies', 'J', places.filter((k) => energies.includes(name(k))));
    this.add(scene, '', '', second)?.firstElementChild!.append(this.columnChoice(scene, positions.length > 0));
    this.lastTime = -Infinity;
  }

  private add(scene: Scene, title: string, unit: string, places: number[]): HTMLElement | null {
    if (!places.length || !scene.chart_columns.length) return null;
    const chart = new Chart(title, unit, places.map((k) => scene.chart_columns[k]), scene.solver.slice(0, scene.sides));
    this.box.append(chart.element);
    this.charts.push({ chart, places });
    return chart.element;
  }

  private columnChoice(scene: Scene, hasProbes: boolean): HTMLSelectElement {
    const choice = make('select', { ariaLabel: 'What the second chart shows' });
    if (hasProbes) choice.append(make('option', { value: '', textContent: 'Probes [m]' }));
    for (const column of scene.chart_columns) choice.append(make('option', { value: column, textContent: column }));
    choice.value = this.chosen || choice.options[0].value;
    choice.onchange = () => {
      this.chosen = choice.value;
      this.open(scene);
    };
    return choice;
  }

  update({ columns }: Status): void {
    const time = columns[0]?.[0];
    if (time === null || time === undefined || time === this.lastTime) return;
    if (time < this.lastTime) this.clear();
    this.lastTime = time;
    for (const { chart, places } of this.charts) {
      const values = Array.from({ length: this.sides }, (_, side) => places.map((k) => columns[side]?.[k + 1] ?? null));
      chart.add(time, values.flat());
      if (!this.box.hidden) chart.draw();
    }
  }

  clear(): void {
    this.lastTime = -Infinity;
    for (const { chart } of this.charts) chart.clear();
  }

  toggle(): void {
    this.box.hidden = !this.box.hidden;
    if (!this.box.hidden) for (const { chart } of this.charts) chart.draw();
  }
}
