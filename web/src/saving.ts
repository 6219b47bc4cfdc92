// "Save this run": asks for a name, shows how far the engine is, and says what can be done with the run.

import { Connection } from './connection';
import { byId, make } from './dom';
import { Status } from './protocol';
import { toast } from './toasts';

export class Saving {
  private readonly button = byId<HTMLButtonElement>('save');

  constructor(private readonly connection: Connection) {}

  ask(sceneName: string): void {
    const name = make('input', { value: `${sceneName || 'my'}-run`, pattern: '[A-Za-z0-9_\\-]{1,64}', required: true });
    name.title = 'Letters, digits, - and _, at most 64';
    const cancel = make('button', { type: 'button', textContent: 'Cancel' });
    const form = make('form', { method: 'dialog' },
      make('h2', { textContent: 'Save this run' }),
      make('p', { textContent: 'From its start to now, into the folder of runs. tendril render, plot and run --resume read it.' }),
      make('label', {}, 'Name ', name), make('menu', {}, cancel, make('button', { className: 'primary', textContent: 'Save' })));
    const dialog = make('dialog', {}, form);
    cancel.onclick = () => dialog.close();
    form.onsubmit = () => this.connection.send({ type: 'save', name: name.value });
    dialog.onclose = () => dialog.remove();
    document.body.append(dialog);
    dialog.showModal();
    name.select();
  }

  update({ saving }: Status): void {
    this.button.disabled = saving !== null;
    this.button.textContent = saving ? `Saving ${Math.round(100 * saving.fraction)} %` : 'Save run';
  }

  done(path: string, frames: number): void {
    toast(`Saved ${frames} frames in ${path}. Go on with: tendril render ${path} -o movie.mp4`, 'good');
  }
}
