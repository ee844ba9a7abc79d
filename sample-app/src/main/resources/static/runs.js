// Runs the sale and the stampede, and draws them while they run and when they have ended.
import { showCode } from './code.js';
import { byId, calm, escape, host } from './page.js';

const number = value => value.toLocaleString('en');
const millis = value => value < 1000 ? `${number(Math.round(value))} ms` : `${(value / 1000).toFixed(1)} s`;
const signs = { CORRECT: ['good', '✓'], DAMAGED: ['bad', '✗'], FAILED: ['bad', '!'] };

// the last events of a run are still on their way when it ends
const lastEvents = () => new Promise(resolve => setTimeout(resolve, 250));

async function call(path, options) {
  const response = await fetch(path, options).catch(() => {
    throw new Error('This instance does not answer. Is it still running?');
  });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.detail ?? `The server answered ${response.status}.`);
  return body;
}

const cacheGuards = [
  { name: 'none', title: 'Without a cache', hint: 'Each caller runs the query.', source: 'stampede/Catalog', method: 'page' },
  { name: 'cache', title: 'With @RedisCache', hint: 'One caller loads the value for all instances.', source: 'stampede/Catalog', method: 'cachedPage' },
];

export async function runs(on) {
  const sale = panel('sale', 'flash-sale', await call('flash-sale/guards').catch(() => []), saleChart, saleTable);
  const stampede = panel('stampede', 'stampede', cacheGuards, stampedeChart, () => {});
  on('bought', (instance, event) => sale.progress(event.run, point => point.push({ at: event.at, stock: event.left, instance })));
  on('query', (instance, event) => stampede.progress(event.run, point => point.push({ at: event.at, change: event.change, instance })));
}

// --- a panel: a card for each guard

function panel(id, path, guards, chart, table) {
  const form = byId(id), cards = new Map(), reports = {}, ended = new Set();
  let running, warm = false;
  for (const guard of guards) {
    const card = document.createElement('article');
    card.className = 'card';
    card.id = `${id}-${guard.name}`;
    card.innerHTML = `<div class="title"><h3>${escape(guard.title)}</h3><button type="button">Run</button></div>
      <p class="hint">${escape(guard.hint)}</p><div class="result" aria-live="polite"></div><div class="plot"></div>
      <details><summary>Each instance</summary><div class="scroll"></div></details>
      <details><summary>The code</summary><figure class="code"></figure></details>`;
    card.querySelector('button').addEventListener('click', () => run([guard.name]));
    const [shares, code] = card.querySelectorAll('details');
    code.addEventListener('toggle', () => showCode(code.querySelector('figure'), guard.source, guard.method), { once: true });
    // all cards of a panel show their code, or none
    code.addEventListener('toggle', () => cards.forEach(other => other.querySelector('details:last-child').open = code.open));
    shares.hidden = true;
    byId(`${id}-cards`).append(card);
    cards.set(guard.name, card);
  }
  form.addEventListener('submit', event => {
    event.preventDefault();
    run(guards.map(guard => guard.name));
  });

  async function run(names) {
    if (!form.reportValidity()) return;
    const buttons = [form, ...cards.values()].flatMap(element => [...element.querySelectorAll('button')]);
    buttons.forEach(button => button.disabled = true);
    const parameters = new URLSearchParams(new FormData(form));
    if (!warm) await warmUp(cards.get(names[0]));
    for (const name of names) {
      // the old result must not be taken for that of this run
      delete reports[name];
      parameters.set('guard', name);
      parameters.set('timeline', true);
      running = { name, begun: performance.now(), points: [], input: Object.fromEntries(parameters) };
      paint();
      const clock = setInterval(paintRunning, calm.matches ? 1000 : 100);
      try {
        const report = await call(`${path}?${parameters}`, { method: 'POST' });
        await lastEvents();
        reports[name] = { timeline: live(running).timeline, ...report };
      }
      catch (error) {
        reports[name] = { outcome: 'FAILED', verdict: 'Not run', error: error.message };
      }
      clearInterval(clock);
      ended.add(running.id);
      running = undefined;
      paint();
    }
    buttons.forEach(button => button.disabled = false);
  }

  // the JVMs have not compiled anything yet, and the first guard would seem slow
  async function warmUp(card) {
    warm = true;
    card.querySelector('.result').innerHTML = '<p class="verdict">Warming up …</p>';
    for (const name of cards.keys()) {
      const parameters = new URLSearchParams([...new FormData(form)].map(([key, value]) => [key, Math.min(value, 200)]));
      parameters.set('guard', name);
      await call(`${path}?${parameters}`, { method: 'POST' }).catch(() => {});
    }
    await lastEvents();
  }

  const finished = () => Object.values(reports).filter(report => !report.error);

  function paint() {
    const end = Math.max(1, ...finished().map(report => report.durationMillis));
    for (const [name, card] of cards) {
      const report = reports[name], result = card.querySelector('.result'), [shares] = card.querySelectorAll('details');
      shares.hidden = !report?.instances;
      if (running?.name === name) {
        result.innerHTML = '<p class="verdict">Running …</p><p class="facts">On all instances</p>';
        card.querySelector('.plot').innerHTML = '';
      }
      else if (report) {
        const [mood, sign] = signs[report.outcome];
        result.innerHTML = `<p class="verdict ${mood}">${sign} ${escape(report.verdict)}</p><p class="facts">${escape(report.error ?? facts(report))}</p>`;
        if (!report.error) {
          card.querySelector('.scroll').innerHTML = shareTable(report);
          picture(card, chart(report, finished()), end);
        }
        else card.querySelector('.plot').innerHTML = '';
      }
    }
    table(byId(`${id}-table`), guards, reports);
  }

  function paintRunning() {
    if (!running) return;
    const card = cards.get(running.name), elapsed = performance.now() - running.begun;
    card.querySelector('.facts').textContent = `On all instances, since ${millis(elapsed)}`;
    const partial = chart({ ...live(running), durationMillis: elapsed }, finished());
    picture(card, partial, Math.max(elapsed, ...finished().map(report => report.durationMillis)));
  }

  return {
    progress(id, add) {
      if (!running) ended.add(id);
      if (ended.has(id)) return;
      running.id ??= id;
      if (running.id === id) add(running.points);
    },
  };
}

function facts(report) {
  const { durationMillis, soldOut, callTimes: times, retries } = report;
  const out = soldOut ? ` ${number(soldOut)} found it sold out.` : '';
  const waited = times?.count ? ` A buyer waited ${millis(times.averageMillis)} on average, ${millis(times.maxMillis)} at most.` : '';
  return `Took ${millis(durationMillis)}.${out}${waited}${retries ? ` ${number(retries)} retries.` : ''}`;
}

function shareTable(report) {
  const row = share => `<tr><td>${escape(host(share.instance))}</td><td>${number(share.succeeded)}</td><td>${number(share.refused)}</td>
    <td>${number(share.failed)}</td><td>${share.callTimes.count ? millis(share.callTimes.averageMillis) : '-'}</td></tr>`
    + (share.error ? `<tr><td class="error" colspan="5">${escape(share.error)}</td></tr>` : '');
  return `<table><thead><tr><th>Instance</th><th>Succeeded</th><th>Refused</th><th>Failed</th><th>Wait</th></tr></thead>
    <tbody>${report.instances.map(row).join('')}</tbody></table>`;
}

// what is known of a run that has not ended
function live({ points, begun, input }) {
  const start = points.length ? Math.min(...points.map(point => point.at)) : begun;
  const timeline = points.map(({ at, ...rest }) => ({ millis: at - start, ...rest })).sort((one, other) => one.millis - other.millis);
  return { timeline, stock: Number(input.stock), sold: timeline.length, queries: timeline.length };
}

// --- the table of all guards of the sale

function saleTable(place, guards, reports) {
  const rows = guards.filter(guard => reports[guard.name]?.durationMillis).map(guard => ({ ...guard, ...reports[guard.name] }));
  if (rows.length < 2) return place.innerHTML = '';
  const best = Math.max(...rows.map(rate));
  place.innerHTML = `<div class="scroll"><table class="beside"><caption>Side by side</caption>
    <thead><tr><th>Guard</th><th>Buyers served a second</th><th>Average wait</th><th>Longest wait</th><th>Redis commands a buyer</th><th>Stock</th></tr></thead>
    <tbody>${rows.map(row => `<tr><td>${escape(row.title)}</td>
      <td><span class="rate"><i style="width:${rate(row) / best * 100}%"></i></span><span class="figure">${number(Math.round(rate(row)))}</span></td>
      <td>${millis(row.callTimes.averageMillis)}</td><td>${millis(row.callTimes.maxMillis)}</td>
      <td>${row.commandsPerBuyer.toFixed(1)}</td>
      <td class="${signs[row.outcome][0]}">${signs[row.outcome][1]} ${row.outcome === 'CORRECT' ? 'right' : row.outcome === 'DAMAGED' ? 'wrong' : 'errors'}</td></tr>`).join('')}</tbody></table></div><p class="hint">Redis commands include those within scripts, and about 0.1 a buyer by which the instances register.${guards.length > 4 ? ''
    : ' Start the sample with <code>-Psample,peers</code> to see Redisson, Spring Integration and Lock4j beside these.'}</p>`;
}

const rate = row => row.buyers / row.durationMillis * 1000;

// --- the pictures: all of one panel on the same axes; what is above the limit is washed in red

function saleChart(sale, all) {
  const stairs = value => sale.timeline.map((point, index) => ({ millis: point.millis, value: value(point, index) }));
  return {
    top: Math.max(1, sale.stock, sale.sold, ...all.flatMap(one => [one.stock, one.sold])), limit: sale.stock,
    lines: [{ color: 'sold', start: 0, points: stairs((_, index) => index + 1), name: 'sold' },
      { color: 'stock', start: sale.stock, points: stairs(point => point.stock), name: 'in stock' }],
    lanes: laneTicks(sale.timeline.map(point => [point.instance, point.millis])), duration: sale.durationMillis,
  };
}

function stampedeChart(run, all) {
  const changes = run.timeline.flatMap(query => query.change ? [[query.millis, query.change, query.instance]]
    : [[query.fromMillis, 1, query.instance], [query.toMillis, -1, query.instance]]).sort((one, other) => one[0] - other[0]);
  let begun = 0, count = 0;
  return {
    top: Math.max(1, ...all.map(one => one.queries), changes.filter(([, change]) => change > 0).length), limit: 1,
    lines: [{ color: 'sold', start: 0, points: changes.filter(([, change]) => change > 0).map(([time]) => ({ millis: time, value: ++begun })), name: begun === 1 ? 'query' : 'queries' },
      { color: 'stock', start: 0, points: changes.map(([time, change]) => ({ millis: time, value: count += change })), name: 'at once', peak: true }],
    lanes: laneTicks(changes.filter(([, change]) => change > 0).map(([time, , instance]) => [instance, time])), duration: run.durationMillis,
  };
}

function laneTicks(ticks) {
  const lanes = new Map();
  ticks.forEach(([instance, time]) => lanes.set(instance, [...lanes.get(instance) ?? [], time]));
  return [...lanes].sort(([one], [other]) => one < other ? -1 : 1);
}

function picture(card, chart, end) {
  if (!chart) return;
  const plot = card.querySelector('.plot');
  const { top, limit, lines, lanes, duration } = chart;
  const width = 480, left = 44, right = 84, roof = 12, base = 170, height = base + 30 + lanes.length * 14;
  const x = time => left + Math.min(Math.max(time / end, 0), 1) * (width - left - right);
  const y = value => base - value / top * (base - roof);
  const stair = line => line.points.reduce((path, point) => `${path}H${x(point.millis).toFixed(1)}V${y(point.value).toFixed(1)}`,
    `M${x(0)} ${y(line.start)}`) + `H${x(duration)}`;
  const grid = ticks(top).map(value => `<line x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}" stroke="var(--grid)"/>
    <text x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${number(value)}</text>`).join('');
  const times = [0, end / 2, end].map(time => `<text x="${x(time)}" y="${height - 2}" text-anchor="middle">${millis(time)}</text>`).join('');
  const ends = lines.map(line => line.peak ? Math.max(line.start, ...line.points.map(point => point.value)) : line.points.at(-1)?.value ?? line.start);
  const labels = apart(...ends.map(y), base);
  const told = lines.map((line, index) => `${number(ends[index])} ${line.name}`);
  const clip = `over-${card.id}`;
  plot.innerHTML = `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(card.querySelector('h3').textContent)}: ${told.join(', ')} after ${millis(duration)}">
    <clipPath id="${clip}"><rect x="${left}" y="0" width="${width}" height="${y(limit)}"/></clipPath>
    ${grid}${times}
    <path d="${stair(lines[0])}V${base}H${x(0)}Z" fill="var(--bad)" opacity=".16" clip-path="url(#${clip})"/>
    <line x1="${left}" x2="${width - right}" y1="${y(limit)}" y2="${y(limit)}" stroke="var(--soft)" stroke-dasharray="4 4"/>
    ${lines.toReversed().map(line => `<path d="${stair(line)}" fill="none" stroke="var(--${line.color})" stroke-width="2" stroke-linejoin="round"/>`).join('')}
    ${told.map((text, index) => `<text class="${index ? 'other' : 'main'}" x="${width - right + 6}" y="${labels[index] + 4}" style="fill:var(--${lines[index].color})">${text}</text>`).join('')}
    ${lanes.map(([instance, times], index) => `<g><text x="${left - 8}" y="${base + 17 + index * 14}" text-anchor="end">${escape(host(instance).slice(-5))}</text>
      <line x1="${left}" x2="${x(end)}" y1="${base + 13 + index * 14}" y2="${base + 13 + index * 14}" stroke="var(--grid)"/>
      <path d="${times.map(time => `M${x(time).toFixed(1)} ${base + 8 + index * 14}v10`).join('')}" stroke="var(--held)" stroke-width="1"/></g>`).join('')}</svg>`;
}

function ticks(top) {
  const rough = top / 4, unit = 10 ** Math.floor(Math.log10(rough)), step = Math.max(1, [1, 2, 5, 10].find(n => n * unit >= rough) * unit);
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
}

function apart(first, second, lowest) {
  const gap = Math.max(0, 18 - Math.abs(first - second)) / 2;
  const places = first <= second ? [first - gap, second + gap] : [first + gap, second - gap];
  const below = Math.max(0, Math.max(...places) - lowest);
  return places.map(place => place - below);
}
