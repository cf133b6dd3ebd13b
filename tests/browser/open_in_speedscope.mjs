// Opens a Chrome JSON trace in speedscope in headless Chromium and takes a screenshot.
//
//   node open_in_speedscope.mjs TRACE.json SCREENSHOT.png
//
// Exits non-zero when the viewer does not accept the trace. Needs Debian's chromium and
// `npm install` in this folder. Everything is served from and loaded over the loopback interface.
import {createServer} from 'node:http';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {basename, dirname, extname, join} from 'node:path';
import {chromium} from 'playwright-core';

const [trace, screenshot] = process.argv.slice(2);
if (!screenshot) {
  console.error('usage: node open_in_speedscope.mjs TRACE.json SCREENSHOT.png');
  process.exit(2);
}

const speedscope =
    join(dirname(createRequire(import.meta.url).resolve('speedscope/package.json')), 'dist/release');
const types = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css',
               '.json': 'application/json', '.wasm': 'application/wasm'};

const server = createServer((request, response) => {
  const name = basename(new URL(request.url, 'http://localhost').pathname) || 'index.html';
  try {
    const body = name === 'trace.json' ? readFileSync(trace) : readFileSync(join(speedscope, name));
    response.writeHead(200, {'content-type': types[extname(name)] ?? 'application/octet-stream'});
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const profile = mkdtempSync(join(tmpdir(), 'speedscope-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  viewport: {width: 1600, height: 900},
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
         '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
let failure = '';
try {
  const page = await browser.newPage();
  page.on('pageerror', error => { failure ||= String(error); });
  page.on('dialog', dialog => { failure ||= dialog.message(); dialog.dismiss(); });
  await page.goto(`${origin}/index.html#profileURL=${encodeURIComponent(origin + '/trace.json')}`);
  // The view buttons are there only once a profile is loaded.
  await page.getByText('Time Order').waitFor();
  await page.waitForTimeout(1000);
  await page.screenshot({path: screenshot});
} catch (error) {
  failure ||= String(error);
} finally {
  await browser.close();
  server.close();
  rmSync(profile, {recursive: true, force: true});
}
if (failure) {
  console.error(`speedscope refused ${trace}: ${failure}`);
  process.exit(1);
}
console.log(`speedscope opened ${trace}; screenshot in ${screenshot}`);
