// Where scenes come from. Three implementations: the native engine behind a WebSocket, the engine in a worker
// (WebAssembly), and a run that is embedded in the page.

import { Frame, Layout } from './binary';
import { Report, Request } from './protocol';

export interface Listener {
  said(report: Report): void;
  laidOut(layout: Layout): void;
  moved(frame: Frame): void;
  lost(reason: string): void;
}

export interface Connection {
  send(request: Request): void;
  /** Picture of a scene of the gallery. */
  thumbnail(name: string): string;
}
