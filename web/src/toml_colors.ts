// A scene's text with its parts in colours.

const token = /(#.*$)|("(?:[^"\\]|\\.)*"|'[^']*')|(^\s*\[\[?[^\]\n]*\]\]?)|(\b(?:true|false)\b|[+-]?\b\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b)|([A-Za-z_][\w-]*(?=\s*=))/gm;
const kinds = ['comment', 'string', 'table', 'number', 'key'];

const escape = (text: string) => text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]!);

/** HTML of the text: spans named after what stands in them. */
export function colorToml(text: string): string {
  let html = '', done = 0;
  for (const match of text.matchAll(token)) {
    const kind = kinds[match.slice(1).findIndex((part) => part !== undefined)];
    html += `${escape(text.slice(done, match.index))}<span class="${kind}">${escape(match[0])}</span>`;
    done = match.index + match[0].length;
  }
  return html + escape(text.slice(done)) + '\n';
}
