// Reads a .usda file by TinyUSDZ, as a layer and as a scene, and by three.js; prints what three.js found.
//   node usda.mjs NODE_MODULES FILE
import fs from 'fs'
import { pathToFileURL } from 'url'

const [folder, file] = process.argv.slice(2)
const bytes = fs.readFileSync(file)

// TinyUSDZ is built for browsers
globalThis.window = globalThis
process.type = 'renderer'
const { default: load } = await import(pathToFileURL(folder + '/tinyusdz/tinyusdz.js'))
const tiny = await load({ wasmBinary: fs.readFileSync(folder + '/tinyusdz/tinyusdz.wasm') })
for (const method of ['loadAsLayerFromBinary', 'loadFromBinary']) {
  const reader = new tiny.TinyUSDZLoaderNative()
  if (!reader[method](bytes, 'file.usda')) {
    console.error('TinyUSDZ', method, reader.error())
    process.exit(1)
  }
}

const { USDAParser } = await import(pathToFileURL(folder + '/three/examples/jsm/loaders/usd/USDAParser.js'))
const found = {}
for (const [path, spec] of Object.entries(new USDAParser().parseData(bytes.toString()).specsByPath))
  found[path] = spec.fields
console.log(JSON.stringify(found))
