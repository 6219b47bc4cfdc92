// Debian's chromium with the page in it.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { MockEngine } from './mock_engine.mjs';
import { serve } from './socket_server.mjs';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--enable-unsafe-swiftshader'];

export const patience = 180_000; // chromium draws on the processor, which others may use as well [ms]

export const pagePath = new URL('../dist/index.html', import.meta.url);

/** A browser with an empty profile; `close` takes that away again. */
export async function openBrowser(viewport = { width: 1280, height: 800 }, deviceScaleFactor = 1) {
  const profile = await mkdtemp(join(tmpdir(), 'tendril-page-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: flags, viewport, deviceScaleFactor, acceptDownloads: true,
  });
  return {
    context,
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Opens an address; whatever the console complains of is kept in `complaints`. */
export async function openPage(context, address) {
  const page = await context.newPage(), complaints = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && !/GPU stall|swiftshader|GL Driver/i.test(message.text()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.setDefaultTimeout(patience);
  await page.goto(address);
  return { page, complaints };
}

/** The page in front of an engine without physics. */
export async function openMock(browser, options = {}) {
  const engine = new MockEngine(options);
  const server = await serve(await readFile(pagePath), (send) => engine.connect(send));
  const { page, complaints } = await openPage(browser.context, server.address);
  return {
    engine, page, complaints, address: server.address, dropClients: server.dropClients,
    close: async () => {
      await page.close();
      engine.stop();
      await server.close();
    },
  };
}

/** Waits until `holds` returns something true, which it returns. */
export async function until(holds, what, seconds = patience / 1000) {
  const end = Date.now() + 1000 * seconds;
  for (;;) {
    const result = await holds();
    if (result) return result;
    if (Date.now() > end) throw new Error(`waited ${seconds} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until this many pictures of frames have been drawn. */
export const framesSeen = (page, count) => until(() => page.evaluate((n) => window.tendril.framesSeen >= n, count), `${count} frames`);

/** Where a point of a segment is on the screen. */
export function segmentOnScreen(page, segment, side = 0) {
  return page.evaluate(([s, number]) => {
    const { stage } = window.tendril, shown = stage.sides[number], { layout, frame } = shown;
    const ends = [0, 1].map((k) => frame.positions.subarray(3 * layout.segments[2 * s + k], 3 * layout.segments[2 * s + k] + 3));
    const middle = stage.sceneCenter.clone().set(...[0, 1, 2].map((axis) => (ends[0][axis] + ends[1][axis]) / 2));
    middle.project(stage.camera.camera);
    const box = stage.canvas.getBoundingClientRect(), width = box.width / stage.sideCount;
    return { x: box.left + width * (number + (middle.x + 1) / 2), y: box.top + (box.height * (1 - middle.y)) / 2 };
  }, [segment, side]);
}
