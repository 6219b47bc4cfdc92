// The page in a real browser, in front of an engine without physics.

import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { framesSeen, openBrowser, patience as wait, openMock, segmentOnScreen, until } from './browser.mjs';

const patience = { timeout: 2 * wait };
const pictures = process.env.TENDRIL_PICTURES; // a folder for screenshots to look at
let browser;

before(async () => {
  browser = await openBrowser({ width: 800, height: 600 }, pictures ? 1 : 0.5);
  if (pictures) await mkdir(pictures, { recursive: true });
});
after(() => browser.close());

/** Runs `body` with the page in front of a fresh engine; no test leaves a complaint in the console. */
async function withPage(options, body) {
  const opened = await openMock(browser, options);
  opened.picture = async (name) => pictures && opened.page.screenshot({ path: join(pictures, `${name}.png`) });
  try {
    await body(opened);
    assert.deepEqual(opened.complaints, []);
  } finally {
    await opened.close();
  }
}

/** How many pixels of the canvas, drawn now, have another colour than when this was asked before. */
const changedPixels = (page) => page.evaluate(() => {
  const { stage } = window.tendril, { width, height } = stage.canvas;
  stage.draw();
  const gl = stage.canvas.getContext('webgl2'), now = new Uint8Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, now);
  const before = window.pixelsBefore ?? new Uint8Array(now.length);
  window.pixelsBefore = now;
  let count = 0;
  for (let k = 0; k < now.length; k += 4)
    if (Math.abs(now[k] - before[k]) + Math.abs(now[k + 1] - before[k + 1]) + Math.abs(now[k + 2] - before[k + 2]) > 30) ++count;
  return count;
});

test('a scene is drawn, moves, and every frame is acknowledged', patience, () => withPage({}, async ({ page, engine, picture }) => {
  await framesSeen(page, 2);
  await picture('live');
  assert.ok((await changedPixels(page)) > 10_000, 'nothing is drawn');
  const seen = await page.evaluate(() => window.tendril.framesSeen);
  await framesSeen(page, seen + 4);
  assert.ok((await changedPixels(page)) > 100, 'the picture stays as it was');
  assert.ok(engine.acks >= 3);
  assert.equal(await page.textContent('#title'), 'Pendulums');
}));

test('an engine that waits gives the same picture twice', patience, () => withPage({}, async ({ page, engine }) => {
  await framesSeen(page, 1);
  await page.click('#play');
  await until(() => !engine.playing, 'a pause');
  const seen = await page.evaluate(() => window.tendril.framesSeen);
  await framesSeen(page, seen + 3); // those on their way
  await changedPixels(page);
  assert.equal(await changedPixels(page), 0);
}));

test('a pull goes to the engine, bends the strand, and lets it go', patience, () => withPage({}, async ({ page, engine, picture }) => {
  await framesSeen(page, 1);
  await page.keyboard.press(' ');
  await until(() => !engine.playing, 'a pause');
  await framesSeen(page, (await page.evaluate(() => window.tendril.framesSeen)) + 3);
  const strand = 9, segment = 24 * strand + 17, from = await segmentOnScreen(page, segment);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  const [grab] = await until(() => engine.asking('grab').length && engine.asking('grab'), 'a grab');
  assert.ok(Math.abs(grab.segment - segment) <= 1, `segment ${grab.segment} instead of ${segment}`);
  assert.ok(grab.fraction >= 0 && grab.fraction <= 1);
  assert.ok(grab.target[0] > 9 && grab.target[0] < 11, 'the target is in world coordinates');

  await page.mouse.move(from.x + 60, from.y - 30, { steps: 5 });
  await until(() => engine.asking('drag').some(({ target }) => target[0] > grab.target[0] + 0.05 && target[2] > grab.target[2] + 0.02), 'a drag to the right and up');
  await until(() => page.isVisible('#force'), 'the force');
  await until(async () => (await segmentOnScreen(page, segment)).x > from.x + 20, 'the strand to follow');
  await picture('pull');
  await page.mouse.up();
  await until(() => engine.asking('release').length === 1, 'a release');
  await until(async () => Math.abs((await segmentOnScreen(page, segment)).x - from.x) < 3, 'the strand to go back');
}));

test('beside everything the view turns, and nothing is asked', patience, () => withPage({}, async ({ page, engine }) => {
  await framesSeen(page, 1);
  const eye = () => page.evaluate(() => window.tendril.stage.camera.camera.position.toArray());
  const before = await eye();
  await page.mouse.move(60, 300);
  await page.mouse.down();
  await page.mouse.move(160, 320, { steps: 4 });
  await page.mouse.up();
  await until(async () => Math.hypot(...(await eye()).map((c, k) => c - before[k])) > 0.1, 'the view to turn');
  assert.deepEqual(engine.asking('grab'), []);
}));

test('an obstacle is carried, and gets a handle', patience, () => withPage({}, async ({ page, engine, picture }) => {
  await framesSeen(page, 1);
  const place = await page.evaluate(() => {
    const { stage } = window.tendril, place = stage.sides[0].solids.poseOf(1).position.clone().project(stage.camera.camera);
    const box = stage.canvas.getBoundingClientRect();
    return { x: box.left + (box.width * (place.x + 1)) / 2, y: box.top + (box.height * (1 - place.y)) / 2 };
  });
  await page.keyboard.down('Shift'); // strands may hang before it
  await page.mouse.move(place.x, place.y);
  await page.mouse.down();
  await page.mouse.move(place.x - 50, place.y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  const move = await until(() => engine.asking('move').find(({ x }) => x[0] < 10.03), 'a move to the left of 10.1');
  assert.equal(move.body, 1);
  assert.ok(Math.abs(Math.hypot(...move.q) - 1) < 1e-6);
  assert.equal(await page.evaluate(() => window.tendril.handles.body), 1);
  await picture('handle');
}));

test('a bad edit shows its line, a good one runs', patience, () => withPage({}, async ({ page, engine, picture }) => {
  await framesSeen(page, 1);
  await page.click('#open-editor');
  const text = page.locator('#editor textarea');
  const good = await text.inputValue();
  assert.match(good, /time_step = 0.01/);
  await text.fill(good.replace('time_step = 0.01', 'wrong_step = 0.01'));
  await page.waitForSelector('#editor .numbers .wrong');
  assert.equal((await page.textContent('#editor .numbers .wrong')).trim(), '5');
  assert.match(await page.textContent('#editor .problems li'), /5:1.*did you mean time_step/);
  await picture('bad_edit');
  await page.click('#apply');
  await page.waitForSelector('.toast.error');
  assert.equal(engine.toml, good, 'what ran before goes on');

  const better = good.replace('damping = 0.5', 'damping = 1.5');
  await text.fill(better);
  await until(async () => !(await page.locator('#editor .problems li').count()), 'the mistake to go');
  await page.click('#apply');
  await until(() => engine.toml === better, 'the new scene');
  await until(() => page.isDisabled('#apply'), 'the editor to know');
}));

test('solvers are switched and set side by side', patience, () => withPage({}, async ({ page, engine, picture }) => {
  await framesSeen(page, 1);
  await page.selectOption('#solver', 'direct');
  await until(() => engine.sides[0] === 'direct', 'another solver');
  await page.selectOption('#compare', 'stable');
  await until(() => page.evaluate(() => window.tendril.stage.sides.length === 2 && window.tendril.stage.sides[1].frame !== null), 'two sides');
  assert.deepEqual(await page.locator('#side-labels span').allTextContents(), ['direct', 'stable']);
  await until(async () => (await page.locator('.figures').count()) === 2, 'figures of both');
  await picture('compare');

  // a strand of the second side is pulled there
  const place = await segmentOnScreen(page, 24 * 11 + 5, 1);
  await page.mouse.move(place.x, place.y);
  await page.mouse.down();
  const [grab] = await until(() => engine.asking('grab').length && engine.asking('grab'), 'a grab');
  await page.mouse.up();
  assert.equal(grab.side, 1);
  await page.selectOption('#compare', '');
  await until(() => page.evaluate(() => window.tendril.stage.sides.length === 1), 'one side');
}));

test('colours have a bar, time has keys, the honest speed stands out', patience, () => withPage({}, async ({ page, engine, picture }) => {
  await framesSeen(page, 1);
  await page.evaluate(() => window.tendril.connection.send({ type: 'show', color: 'strain', stripes: false, limit: 0 }));
  await page.waitForSelector('#color-bar:not([hidden])');
  assert.match(await page.textContent('#color-bar'), /strain0\.0120\.0060/);
  await page.keyboard.press('c');
  await until(async () => (await page.locator('#charts canvas').count()) === 2, 'two charts');
  await picture('colours');
  await until(async () => /0\.62 × real time/.test(await page.textContent('.figure.warns')), 'a speed that stands out');
  await page.keyboard.press('.');
  await until(() => engine.asking('step').length === 1 && !engine.playing, 'a step');
  await page.keyboard.press('r');
  await until(() => engine.asking('reset').length === 1, 'a reset');
  await page.selectOption('#rate', '0.1');
  await until(() => engine.rate === 0.1, 'another rate');
}));

test('a run is saved under a name, a picture is a file', patience, () => withPage({}, async ({ page, engine }) => {
  await framesSeen(page, 1);
  await page.click('#save');
  await page.fill('dialog input', 'my-run');
  await page.click('dialog .primary');
  await until(() => engine.asking('save').at(0)?.name === 'my-run', 'a save');
  await page.waitForSelector('.toast.good');
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('#screenshot')]);
  assert.equal(file.suggestedFilename(), 'pendulums.png');
}));

test('a movie of the canvas is a file', patience, () => withPage({}, async ({ page }) => {
  await framesSeen(page, 1);
  await page.click('#movie');
  await framesSeen(page, 6);
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('#movie')]);
  assert.match(file.suggestedFilename(), /^pendulums\.(webm|mp4)$/);
  const stream = await file.createReadStream();
  let bytes = 0;
  for await (const part of stream) bytes += part.length;
  assert.ok(bytes > 2000, `${bytes} bytes`);
}));

test('a recorded run is scrubbed', patience, () => withPage({ mode: 'recorded' }, async ({ page, engine, picture }) => {
  await framesSeen(page, 1);
  assert.ok(await page.isVisible('#timeline'));
  assert.ok(await page.isHidden('#save'));
  await page.locator('#timeline input').fill('45');
  await until(() => engine.asking('seek').at(-1)?.frame === 45, 'a seek');
  await until(async () => (await page.textContent('#clock')) === '1.500 s', 'the frame');
  await picture('recorded');
}));

test('a second page watches', patience, () => withPage({}, async ({ page, engine, address }) => {
  await framesSeen(page, 1);
  const other = await browser.context.newPage();
  other.setDefaultTimeout(wait);
  await other.goto(address);
  await framesSeen(other, 1);
  assert.ok(await other.isDisabled('#play'));
  const place = await segmentOnScreen(other, 100);
  await other.mouse.click(place.x, place.y);
  assert.deepEqual(engine.asking('grab'), []);
  await other.close();
}));

test('the gallery finds a scene and opens it', patience, () => withPage({ mode: 'gallery' }, async ({ page, engine, picture }) => {
  await page.waitForSelector('.card');
  assert.equal(await page.locator('.card').count(), 7);
  await picture('gallery');
  await page.fill('#gallery input', 'wilber');
  assert.equal(await page.locator('.card').count(), 1);
  await page.click('.card');
  await until(() => engine.asking('open').at(0)?.scene === 'wilberforce', 'the scene');
  await framesSeen(page, 1);
  assert.ok(await page.isHidden('#gallery'));
}));

test('without an engine the page says so', patience, async () => {
  const opened = await openMock(browser);
  await framesSeen(opened.page, 1);
  opened.engine.stop();
  const page = opened.page;
  await opened.dropClients();
  await page.waitForSelector('#lost:not([hidden])');
  await opened.close();
});
