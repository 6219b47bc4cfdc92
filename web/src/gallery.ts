// All scenes, to choose from.

import { Connection } from './connection';
import { byId, make } from './dom';
import { GalleryScene } from './protocol';

export class Gallery {
  private readonly box = byId('gallery');
  private readonly grid = make('div', { className: 'grid' });
  private readonly search = make('input', { type: 'search', placeholder: 'Search the scenes', ariaLabel: 'Search the scenes' });
  private readonly count = make('span', { className: 'count' });
  private readonly back = make('button', { textContent: 'Back to the scene', hidden: true });
  private scenes: GalleryScene[] = [];

  constructor(private readonly connection: Connection) {
    const words = make('div', {}, make('h1', { textContent: 'Tendril' }), make('p', { textContent: 'Choose a scene. It runs live; pull at it.' }));
    this.box.append(make('header', {}, words, this.count, this.search, this.back), this.grid);
    this.search.oninput = () => this.fill();
    this.back.onclick = () => this.hide();
  }

  get isOpen(): boolean {
    return !this.box.hidden;
  }

  show(scenes: GalleryScene[], canGoBack: boolean): void {
    this.scenes = scenes;
    this.back.hidden = !canGoBack;
    this.box.hidden = false;
    this.fill();
    this.search.focus();
  }

  /** The scene that was chosen cannot be opened: another one may be. */
  refused(): void {
    if (this.isOpen) this.fill();
  }

  hide(): void {
    this.box.hidden = true;
  }

  private fill(): void {
    const words = this.search.value.toLowerCase().split(/\s+/);
    const chosen = this.scenes.filter(({ name, title }) => words.every((word) => `${name} ${title}`.toLowerCase().includes(word)));
    this.count.textContent = `${chosen.length} scenes`;
    this.grid.replaceChildren(...chosen.map((scene) => this.card(scene)));
  }

  private card({ name, title, thumbnail }: GalleryScene): HTMLElement {
    const card = make('button', { className: 'card' });
    card.dataset.scene = name;
    const picture = make('div', { className: 'picture' });
    if (thumbnail) {
      const address = typeof thumbnail === 'string' ? thumbnail : this.connection.thumbnail(name);
      picture.append(make('img', { src: address, alt: '', loading: 'lazy' }));
    }
    card.append(picture, make('h3', { textContent: title || name }), make('code', { textContent: name }));
    card.onclick = () => {
      this.connection.send({ type: 'open', scene: name });
      card.classList.add('opening');
    };
    return card;
  }
}
