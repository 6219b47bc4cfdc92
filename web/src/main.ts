// The page: it plays the run that is embedded in it, or speaks with an engine in a worker, or behind a WebSocket.

import { App } from './app';
import { Connection, Listener } from './connection';
import { RunConnection } from './run_connection';
import { SocketConnection } from './socket_connection';
import { WorkerConnection } from './worker_connection';

function connect(listener: Listener): Connection {
  const run = document.getElementById('tendril-run');
  if (run) return new RunConnection(run.textContent ?? '', listener);
  const worker = document.querySelector<HTMLMetaElement>('meta[name="tendril-worker"]');
  if (worker) return new WorkerConnection(worker.content, listener);
  return new SocketConnection(location, listener);
}

declare global {
  interface Window {
    tendril: App; // for tests and for the curious
  }
}

window.tendril = new App(connect);
