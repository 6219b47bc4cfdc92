// Short words over the picture that go by themselves.

import { byId, make } from './dom';

export type Tone = 'notice' | 'error' | 'good';

/** Shows a message for as long as it takes to read it; errors stay twice as long. */
export function toast(message: string, tone: Tone = 'notice'): void {
  const box = byId('toasts');
  const item = make('div', { className: `toast ${tone}`, textContent: message });
  item.onclick = () => item.remove();
  box.append(item);
  while (box.children.length > 4) box.firstElementChild!.remove();
  const seconds = 2.5 + message.length / 18;
  setTimeout(() => item.remove(), 1000 * (tone === 'error' ? 2 * seconds : seconds));
}
