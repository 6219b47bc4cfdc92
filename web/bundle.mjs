// Bundles src/ into dist/index.html: one file with its script and style in it, which needs no network.
//   node bundle.mjs [FOLDER]

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, 'dist');

async function bundle(entry, extra = {}) {
  const result = await build({
    entryPoints: [join(here, 'src', entry)], bundle: true, minify: true, write: false, target: 'es2022',
    legalComments: 'eof', absWorkingDir: here, ...extra,
  });
  return result.outputFiles[0].text;
}

const script = await bundle('main.ts', { format: 'iife' });
const style = await bundle('style.css');
const page = await readFile(join(here, 'src', 'index.html'), 'utf8');
// a function, since dollar signs in the code would mean something; </script> must not end the element
const html = page.replace('/*style*/', () => style).replace('/*script*/', () => script.replaceAll('</script', '<\\/script'));

await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'index.html.new'), html);
await rename(join(folder, 'index.html.new'), join(folder, 'index.html'));
