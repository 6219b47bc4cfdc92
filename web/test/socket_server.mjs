// A small server for the tests: one page over HTTP and texts and binary messages over a WebSocket (RFC 6455).

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const text = 1, binary = 2, close = 8;

/** One message as the server sends it: unmasked, in one piece. */
function encode(payload) {
  const isText = typeof payload === 'string';
  const body = isText ? Buffer.from(payload) : Buffer.from(payload);
  const head = Buffer.alloc(body.length < 126 ? 2 : body.length < 65536 ? 4 : 10);
  head[0] = 0x80 | (isText ? text : binary);
  if (body.length < 126) head[1] = body.length;
  else if (body.length < 65536) {
    head[1] = 126;
    head.writeUInt16BE(body.length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(body.length), 2);
  }
  return Buffer.concat([head, body]);
}

/** Takes whole messages off the front of what has come; browsers mask theirs, and send ours in one piece. */
function decode(bytes, onMessage) {
  for (;;) {
    if (bytes.length < 6) return bytes;
    let length = bytes[1] & 127, start = 2;
    if (length === 126) [length, start] = [bytes.readUInt16BE(2), 4];
    else if (length === 127) {
      if (bytes.length < 14) return bytes;
      [length, start] = [Number(bytes.readBigUInt64BE(2)), 10];
    }
    if (bytes.length < start + 4 + length) return bytes;
    const mask = bytes.subarray(start, start + 4);
    const body = Buffer.from(bytes.subarray(start + 4, start + 4 + length)).map((byte, k) => byte ^ mask[k & 3]);
    onMessage(bytes[0] & 15, body);
    bytes = bytes.subarray(start + 4 + length);
  }
}

/**
 * Serves `page` at / and hands every WebSocket to `connected(send)`, which returns what is to be done with a text.
 * Resolves to { address, dropClients, close }.
 */
export async function serve(page, connected) {
  const server = createServer((request, response) => {
    const found = request.url.split('?')[0] === '/';
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/html' });
    response.end(found ? page : '');
  });
  const sockets = new Set();
  server.on('upgrade', (request, socket) => {
    const accept = createHash('sha1').update(request.headers['sec-websocket-key'] + guid).digest('base64');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    sockets.add(socket);
    const client = connected((message) => socket.writable && socket.write(encode(message)));
    let pending = Buffer.alloc(0);
    socket.on('data', (data) => {
      pending = decode(Buffer.concat([pending, data]), (kind, body) => {
        if (kind === text) client.receive(JSON.parse(body.toString()));
        if (kind === close) socket.end();
      });
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      client.left();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/?token=test`,
    dropClients: () => sockets.forEach((socket) => socket.destroy()),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections(); // browsers keep some open
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
