// The native engine, behind the WebSocket of the server that sent this page.

import { readMessage } from './binary';
import { Connection, Listener } from './connection';
import { Report, Request } from './protocol';

export class SocketConnection implements Connection {
  private readonly socket: WebSocket;
  private readonly token: string;

  constructor(address: Location, listener: Listener) {
    this.token = new URLSearchParams(address.search).get('token') ?? '';
    const scheme = address.protocol === 'https:' ? 'wss:' : 'ws:';
    this.socket = new WebSocket(`${scheme}//${address.host}/ws?token=${encodeURIComponent(this.token)}`);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onmessage = ({ data }) => deliver(data, listener);
    this.socket.onclose = () => listener.lost('The engine has ended, or it refuses this page. Start tendril view again.');
  }

  send(request: Request): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  thumbnail(name: string): string {
    return `/thumbnail/${encodeURIComponent(name)}.png?token=${encodeURIComponent(this.token)}`;
  }
}

/** Tells the listener what a message says: a text is JSON, anything else a layout or a frame. */
export function deliver(data: string | ArrayBuffer, listener: Listener): void {
  if (typeof data === 'string') {
    listener.said(JSON.parse(data) as Report);
    return;
  }
  const message = readMessage(data);
  if (message.kind === 'layout') listener.laidOut(message);
  else listener.moved(message);
}
