// Prints the report of Khronos' validator on a .glb file.
//   node glb.cjs NODE_MODULES FILE
const fs = require('fs')
const [folder, file] = process.argv.slice(2)
const validator = require(folder + '/gltf-validator')
validator.validateBytes(new Uint8Array(fs.readFileSync(file))).then(report => console.log(JSON.stringify(report)))
