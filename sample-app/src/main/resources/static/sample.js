// Runs the sale, the transfers and the stampede, and draws what happened. No library, no build.
const byId = id => document.getElementById(id);
const number = value => value.toLocaleString('en');
const millis = value => value < 1000 ? `${number(Math.round(value))} ms` : `${(value / 1000).toFixed(1)} s`;
const host = url => url.replace(/^https?:\/\//, '');
const escape = text => String(text).replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`);

async function call(path, options) {
  const response = await fetch(path, options).catch(() => {
    throw new Error('This instance does not answer. Is it still running?');
  });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.detail ?? `The server answered ${response.status}.`);
  return body;
}

function problem(error) {
  byId('problem').hidden = !error;
  byId('problem').textContent = error ? error.message : '';
}

// --- instances

async function showInstances() {
  try {
    const { self, all } = await call('/instances');
    byId('instances').innerHTML = `${all.length === 1 ? '1 instance' : `${all.length} instances`} running`
      + all.map(url => `<a class="chip" href="${escape(url)}">${escape(host(url))}${url === self ? ' (this one)' : ''}</a>`).join('');
  }
  catch (error) {
    byId('instances').textContent = `Instances unknown: ${error.message}`;
  }
}

// --- runs

function onRun(form, path, render) {
  const reports = {};
  const guards = [...form.querySelectorAll('button')].map(button => button.value).filter(value => value !== 'all');
  const paint = running => guards.forEach(guard => {
    const card = byId(`${form.id}-${guard}`);
    if (guard === running) card.innerHTML = `<h3>${card.dataset.title}</h3><p class="empty">Running on all instances…</p>`;
    else if (reports[guard]) render(card, reports[guard], reports);
    else card.innerHTML = `<h3>${card.dataset.title}</h3><p class="empty">Not run yet.</p>`;
  });
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const choice = event.submitter?.value ?? 'all';
    const parameters = new URLSearchParams(new FormData(form));
    const buttons = document.querySelectorAll('button');
    buttons.forEach(button => button.disabled = true);
    problem(null);
    try {
      for (const guard of choice === 'all' ? guards : [choice]) {
        paint(guard);
        parameters.set('guard', guard);
        reports[guard] = await call(`${path}?${parameters}`, { method: 'POST' });
      }
    }
    catch (error) {
      problem(error);
    }
    buttons.forEach(button => button.disabled = false);
    paint();
    showInstances();
  });
  paint();
}

function head(card, report, bad, verdict, facts) {
  const waits = report.lockWaits?.count
    ? `, lock wait ${millis(report.lockWaits.averageMillis)} on average, ${millis(report.lockWaits.maxMillis)} at most` : '';
  const retries = report.retries ? `, ${number(report.retries)} retries` : '';
  return `<h3>${card.dataset.title}</h3>
    <p class="verdict ${bad ? 'bad' : 'good'}">${bad ? '✗' : '✓'} ${verdict}</p>
    <p class="facts">${facts}. Took ${millis(report.durationMillis)}${waits}${retries}.</p>`;
}

function table(report, columns) {
  const row = share => `<tr><td>${escape(host(share.instance))}</td>${columns.map(([, cell]) => `<td>${cell(share)}</td>`).join('')}</tr>`
    + (share.error ? `<tr><td class="error" colspan="${columns.length + 1}">${escape(share.error)}</td></tr>` : '');
  return `<div class="scroll"><table><thead><tr><th>Instance</th>${columns.map(([title]) => `<th>${title}</th>`).join('')}</tr></thead>
    <tbody>${report.instances.map(row).join('')}</tbody></table></div>`;
}

function shares(report, succeeded, refused) {
  return table(report, [[succeeded, share => number(share.succeeded)], [refused, share => number(share.refused)],
    ['Failed', share => number(share.failed)],
    ['Wait', share => share.lockWaits.count ? millis(share.lockWaits.averageMillis) : '-']]);
}

function renderSale(card, sale, all) {
  card.innerHTML = head(card, sale, sale.oversold > 0, `${number(sale.oversold)} oversold`,
      `${number(sale.sold)} sold of ${number(sale.stock)}, ${number(sale.soldOut)} buyers found it sold out`)
    + legend(['sold', 'Units sold'], ['stock', 'Stock in the database']) + shares(sale, 'Bought', 'Sold out');
  const sold = sale.timeline.map((point, index) => ({ millis: point.millis, value: index + 1 }));
  const stock = sale.timeline.map(point => ({ millis: point.millis, value: point.stock }));
  draw(card, {
    end: sale.durationMillis, top: Math.max(1, ...Object.values(all).flatMap(one => [one.stock, one.sold])), limit: sale.stock,
    lines: [{ color: 'sold', start: 0, points: sold, name: 'sold' }, { color: 'stock', start: sale.stock, points: stock, name: 'left' }],
  });
}

function renderTransfers(card, run) {
  const change = run.moneyAfter - run.moneyBefore;
  const verdict = change === 0 ? 'Sum unchanged' : `${number(Math.abs(change))} ${change > 0 ? 'appeared' : 'vanished'}`;
  card.innerHTML = head(card, run, change !== 0, verdict,
      `${number(run.moneyBefore)} before, ${number(run.moneyAfter)} after ${number(run.transfers)} transfers`)
    + shares(run, 'Moved', 'Refused');
}

function renderStampede(card, run, all) {
  card.innerHTML = head(card, run, run.queries > 1, `${number(run.queries)} ${run.queries === 1 ? 'query' : 'queries'}`,
      `${number(run.callers - run.failed)} of ${number(run.callers)} callers got the page`)
    + legend(['sold', 'Queries begun'], ['stock', 'Queries running']) + table(run, [['Got the page', share => number(share.succeeded)],
      ['Queries', share => number(run.timeline.filter(query => query.instance === share.instance).length)],
      ['Failed', share => number(share.failed)]]);
  const begun = run.timeline.map((query, index) => ({ millis: query.fromMillis, value: index + 1 }));
  let count = 0;
  const running = run.timeline.flatMap(query => [[query.fromMillis, 1], [query.toMillis, -1]]).sort((one, other) => one[0] - other[0])
    .map(([time, change]) => ({ millis: time, value: count += change }));
  draw(card, {
    end: run.durationMillis, top: Math.max(1, ...Object.values(all).map(one => one.queries)), limit: 1,
    lines: [{ color: 'sold', start: 0, points: begun, name: 'begun' }, { color: 'stock', start: 0, points: running, name: 'at once', peak: true }],
  });
}

// --- the picture: two lines over time, both panels on one vertical scale; what is above the limit is washed in red

function legend(...lines) {
  return `<div class="legend">${lines.map(([color, text]) => `<span><i style="background:var(--${color})"></i>${text}</span>`).join('')}</div>
    <div class="plot"></div>`;
}

function draw(card, { end, top, limit, lines }) {
  const plot = card.querySelector('.plot'), width = 480, height = 260, left = 40, right = 84, base = 226, roof = 12;
  const last = Math.max(end, 1);
  const x = time => left + Math.min(Math.max(time / last, 0), 1) * (width - left - right);
  const y = value => base - value / top * (base - roof);
  const stair = line => line.points.reduce((path, point) => `${path}H${x(point.millis).toFixed(1)}V${y(point.value).toFixed(1)}`,
    `M${x(0)} ${y(line.start)}`) + `H${x(last)}`;
  const grid = ticks(top).map(value => `<line x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}" stroke="var(--grid)"/>
    <text x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${number(value)}</text>`).join('');
  const times = [0, last / 2, last].map(time => `<text x="${x(time)}" y="${base + 20}" text-anchor="middle">${millis(time)}</text>`).join('');
  const ends = lines.map(line => line.peak ? Math.max(line.start, ...line.points.map(point => point.value))
    : line.points.at(-1)?.value ?? line.start);
  const labels = apart(...ends.map(y), base);
  const told = lines.map((line, index) => `${number(ends[index])} ${line.name}`);
  const clip = `over-${card.id}`;
  plot.innerHTML = `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${card.dataset.title}, at the end: ${told.join(', ')}">
    <clipPath id="${clip}"><rect x="${left}" y="0" width="${width}" height="${y(limit)}"/></clipPath>
    ${grid}${times}
    <path d="${stair(lines[0])}V${base}H${x(0)}Z" fill="var(--bad)" opacity=".16" clip-path="url(#${clip})"/>
    <line x1="${left}" x2="${width - right}" y1="${y(limit)}" y2="${y(limit)}" stroke="var(--soft)" stroke-dasharray="4 4"/>
    ${lines.toReversed().map(line => `<path d="${stair(line)}" fill="none" stroke="var(--${line.color})" stroke-width="2" stroke-linejoin="round"/>`).join('')}
    ${told.map((text, index) => `<text class="end" x="${width - right + 6}" y="${labels[index] + 4}">${text}</text>`).join('')}
    <line class="cursor" y1="${roof}" y2="${base}" stroke="var(--soft)" visibility="hidden"/></svg><div class="tip" hidden></div>`;
  follow(plot, lines, last, time => x(time) / width, share => (share * width - left) / (width - left - right) * last);
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

function follow(plot, lines, end, place, timeAt) {
  const cursor = plot.querySelector('.cursor'), tip = plot.querySelector('.tip');
  const hide = () => {
    tip.hidden = true;
    cursor.setAttribute('visibility', 'hidden');
  };
  plot.onpointerleave = hide;
  plot.onpointermove = event => {
    const box = plot.getBoundingClientRect();
    const time = timeAt((event.clientX - box.left) / box.width);
    if (time < 0 || time > end) return hide();
    const values = lines.map(line => `${number(line.points.findLast(point => point.millis <= time)?.value ?? line.start)} ${line.name}`);
    const share = place(time);
    tip.hidden = false;
    tip.textContent = `${millis(time)}: ${values.join(', ')}`;
    tip.style.left = share < .5 ? `${share * 100 + 2}%` : 'auto';
    tip.style.right = share < .5 ? 'auto' : `${(1 - share) * 100 + 2}%`;
    cursor.setAttribute('visibility', 'visible');
    cursor.setAttribute('x1', share * 480);
    cursor.setAttribute('x2', share * 480);
  };
}

onRun(byId('sale'), '/flash-sale', renderSale);
onRun(byId('transfers'), '/transfers', renderTransfers);
onRun(byId('stampede'), '/stampede', renderStampede);
showInstances();
setInterval(showInstances, 2000);
