// The engine compiled to WebAssembly, in a worker beside the page: the same messages as over the WebSocket.

import { Connection, Listener } from './connection';
import { Request } from './protocol';
import { deliver } from './socket_connection';

export class WorkerConnection implements Connection {
  private readonly worker: Worker;

  constructor(script: string, listener: Listener) {
    this.worker = new Worker(script);
    this.worker.onmessage = ({ data }) => deliver(data, listener);
    this.worker.onerror = (event) => listener.lost(`The engine stopped: ${event.message}`);
  }

  send(request: Request): void {
    this.worker.postMessage(JSON.stringify(request));
  }

  thumbnail(name: string): string {
    return `thumbnail/${encodeURIComponent(name)}.png`;
  }
}
