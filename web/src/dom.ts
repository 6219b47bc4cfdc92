// Elements in a line.

type Attributes<K extends keyof HTMLElementTagNameMap> = Partial<Omit<HTMLElementTagNameMap[K], 'style'>>;

/** A new element with these properties and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes<K> = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
}

/** The element of index.html with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element as T;
}

/** Hands a file to the browser's downloads. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  make('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
