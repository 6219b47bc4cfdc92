// The scene's text: edited in the page, looked through by the engine while one types, mistakes at their lines.

import { Connection } from './connection';
import { byId, make } from './dom';
import { Problem } from './protocol';
import { colorToml } from './toml_colors';

const pause = 350; // after the last key, before the engine looks through the text [ms]

export class Editor {
  private readonly box = byId('editor');
  private readonly text = make('textarea', { spellcheck: false, wrap: 'off', ariaLabel: 'The scene in TOML' });
  private readonly colors = make('pre', { ariaHidden: 'true' });
  private readonly numbers = make('pre', { className: 'numbers', ariaHidden: 'true' });
  private readonly problemList = make('ul', { className: 'problems' });
  private readonly apply = make('button', { id: 'apply', textContent: 'Apply', title: 'Ctrl+Enter', className: 'primary' });
  private readonly revert = make('button', { textContent: 'Revert' });
  private problems: Problem[] = [];
  private engineText = ''; // what runs
  private timer = 0;

  constructor(private readonly connection: Connection) {
    const close = make('button', { textContent: '×', title: 'Close', className: 'icon', onclick: () => this.toggle() });
    const head = make('header', {}, make('h2', { textContent: 'Scene' }), this.revert, this.apply, close);
    const sheet = make('div', { className: 'sheet' }, this.numbers, make('div', { className: 'paper' }, this.colors, this.text));
    this.box.append(head, sheet, this.problemList);
    this.apply.onclick = () => this.send();
    this.revert.onclick = () => this.setText(this.engineText);
    this.text.oninput = () => this.edited();
    this.text.onscroll = () => this.scroll();
    this.text.onkeydown = (event) => {
      if (event.key === 'Enter' && event.ctrlKey) this.send();
      if (event.key === 'Tab') this.insert(event, '  ');
      event.stopPropagation();
    };
  }

  /** What the engine runs now; a person's own edits are kept. */
  take(toml: string): void {
    const untouched = this.text.value === this.engineText || this.text.value === toml;
    this.engineText = toml;
    if (untouched) this.setText(toml);
    this.mark();
  }

  /** A new scene: other edits are of no use. */
  open(toml: string): void {
    this.engineText = toml;
    this.setText(toml);
  }

  show(problems: Problem[]): void {
    this.problems = problems;
    this.problemList.replaceChildren(...problems.map((problem) => {
      const where = problem.line ? `${problem.line}:${problem.column}  ` : '';
      const item = make('li', {}, make('b', { textContent: where }), problem.message);
      item.onclick = () => this.goTo(problem.line);
      return item;
    }));
    this.number();
    this.mark();
  }

  toggle(): void {
    this.box.hidden = !this.box.hidden;
    if (!this.box.hidden) this.scroll();
  }

  /** Opens the editor at a mistake. */
  reveal(problems: Problem[]): void {
    this.box.hidden = false;
    this.show(problems);
    this.goTo(problems[0]?.line ?? 0);
  }

  private send(): void {
    clearTimeout(this.timer);
    this.connection.send({ type: 'toml', text: this.text.value });
  }

  private edited(): void {
    this.paint();
    this.mark();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.connection.send({ type: 'check', text: this.text.value }), pause);
  }

  private setText(text: string): void {
    this.text.value = text;
    this.show([]);
    this.paint();
    this.mark();
  }

  private insert(event: KeyboardEvent, what: string): void {
    event.preventDefault();
    const { selectionStart, selectionEnd } = this.text;
    this.text.setRangeText(what, selectionStart, selectionEnd, 'end');
    this.edited();
  }

  private paint(): void {
    this.colors.innerHTML = colorToml(this.text.value);
    this.number();
    this.scroll();
  }

  // line numbers, those with a mistake marked
  private number(): void {
    const wrong = new Set(this.problems.map(({ line }) => line));
    const lines = this.text.value.split('\n').length;
    this.numbers.replaceChildren();
    for (let line = 1; line <= lines; ++line)
      this.numbers.append(make('span', { textContent: `${line}\n`, className: wrong.has(line) ? 'wrong' : '' }));
  }

  private mark(): void {
    const edited = this.text.value !== this.engineText;
    this.apply.disabled = !edited;
    this.revert.disabled = !edited;
    this.box.classList.toggle('has-problems', this.problems.length > 0);
  }

  private scroll(): void {
    this.colors.style.transform = `translate(${-this.text.scrollLeft}px, ${-this.text.scrollTop}px)`;
    this.numbers.style.transform = `translateY(${-this.text.scrollTop}px)`;
  }

  private goTo(line: number): void {
    if (line < 1) return;
    const lines = this.text.value.split('\n'), start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    this.text.focus();
    this.text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    const height = this.text.scrollHeight / lines.length;
    this.text.scrollTop = Math.max(0, (line - 6) * height);
    this.scroll();
  }
}
