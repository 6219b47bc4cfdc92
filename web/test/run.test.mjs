// A run inside the page, opened as a file: no server, no network.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { framesSeen, openBrowser, openPage, patience as wait, until } from './browser.mjs';
import { pageWithRun, pointOf } from './run_writer.mjs';

const frames = 31;
const pictures = process.env.TENDRIL_PICTURES;
let browser, folder, file;

before(async () => {
  browser = await openBrowser({ width: 800, height: 600 }, pictures ? 1 : 0.5);
  folder = await mkdtemp(join(tmpdir(), 'tendril-run-'));
  file = join(folder, 'run.html');
  await writeFile(file, await pageWithRun(frames));
});
after(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

test('a run plays from a file, scrubs, and is coloured', { timeout: 2 * wait }, async () => {
  await browser.context.setOffline(true);
  const { page, complaints } = await openPage(browser.context, pathToFileURL(file).href);
  await framesSeen(page, 1);
  await until(() => page.evaluate(() => window.tendril.status?.frame > 0), 'the next frames');

  await page.click('#play');
  await until(() => page.evaluate(() => !window.tendril.status.playing), 'a pause');
  await page.locator('#timeline input').fill('12');
  await until(async () => (await page.textContent('#clock')) === '0.400 s', 'frame 12');
  await page.locator('#timeline input').fill('20');
  await until(() => page.evaluate(() => window.tendril.stage.sides[0].frame.index === 20), 'frame 20');
  const point = 7 * 25 + 24;
  const shown = await page.evaluate((i) => [...window.tendril.stage.sides[0].frame.positions.subarray(3 * i, 3 * i + 3)], point);
  pointOf(20 / 30, point).forEach((x, axis) => assert.ok(Math.abs(x - shown[axis]) < 2e-5, `${shown[axis]} instead of ${x}`));

  for (const [color, first] of [['strain', 0], ['speed', 255]]) {  // the second plane is the first upside down
    await page.evaluate((name) => window.tendril.connection.send({ type: 'show', color: name, stripes: true, limit: 0 }), color);
    assert.equal(await page.evaluate(() => window.tendril.stage.sides[0].frame.values[0]), first, color);
  }
  await page.waitForSelector('#color-bar:not([hidden])');
  assert.match(await page.textContent('#color-bar'), /speed1\.5 m\/s/);
  if (pictures) {
    await mkdir(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, 'run.png') });
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a damaged run says so', { timeout: 2 * wait }, async () => {
  const broken = join(folder, 'broken.html');
  await writeFile(broken, (await pageWithRun(2)).replace(/(id="tendril-run">.{200})[^<]*/, '$1'));
  const { page } = await openPage(browser.context, pathToFileURL(broken).href);
  await page.waitForSelector('#lost:not([hidden])');
  assert.match(await page.textContent('#lost'), /cannot be read/);
  await page.close();
});
