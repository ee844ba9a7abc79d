// Runs the sale and the transfers, and draws what happened. No library, no build.
const byId = id => document.getElementById(id);
const number = value => value.toLocaleString('en');
const millis = value => value < 1000 ? `${number(Math.round(value))} ms` : `${(value / 1000).toFixed(1)} s`;
const host = url => url.replace(/^https?:\/\//, '');
const escape = text => String(text).replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`);
const titles = { none: 'Without the lock', lock: 'With the lock' };

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
  const paint = running => ['none', 'lock'].forEach(guard => {
    const card = byId(`${form.id}-${guard}`);
    if (guard === running) card.innerHTML = `<h3>${titles[guard]}</h3><p class="empty">Running on all instances…</p>`;
    else if (reports[guard]) render(card, reports[guard], reports);
    else card.innerHTML = `<h3>${titles[guard]}</h3><p class="empty">Not run yet.</p>`;
  });
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const choice = event.submitter?.value ?? 'both';
    const parameters = new URLSearchParams(new FormData(form));
    const buttons = document.querySelectorAll('button');
    buttons.forEach(button => button.disabled = true);
    problem(null);
    try {
      for (const guard of choice === 'both' ? ['none', 'lock'] : [choice]) {
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

function head(report, bad, verdict, facts) {
  const waits = report.lockWaits.count
    ? `, lock wait ${millis(report.lockWaits.averageMillis)} on average, ${millis(report.lockWaits.maxMillis)} at most` : '';
  return `<h3>${titles[report.guard]}</h3>
    <p class="verdict ${bad ? 'bad' : 'good'}">${bad ? '✗' : '✓'} ${verdict}</p>
    <p class="facts">${facts}. Took ${millis(report.durationMillis)}${waits}.</p>`;
}

function shares(report, succeeded, refused) {
  const row = share => `<tr><td>${escape(host(share.instance))}</td><td>${number(share.succeeded)}</td>
    <td>${number(share.refused)}</td><td>${number(share.failed)}</td>
    <td>${share.lockWaits.count ? millis(share.lockWaits.averageMillis) : '-'}</td></tr>`
    + (share.error ? `<tr><td class="error" colspan="5">${escape(share.error)}</td></tr>` : '');
  return `<div class="scroll"><table><thead><tr><th>Instance</th><th>${succeeded}</th><th>${refused}</th><th>Failed</th>
    <th>Wait</th></tr></thead><tbody>${report.instances.map(row).join('')}</tbody></table></div>`;
}

function renderSale(card, sale, all) {
  card.innerHTML = head(sale, sale.oversold > 0, `${number(sale.oversold)} oversold`,
      `${number(sale.sold)} sold of ${number(sale.stock)}, ${number(sale.soldOut)} buyers found it sold out`)
    + `<div class="legend"><span><i style="background:var(--sold)"></i>Units sold</span>
       <span><i style="background:var(--stock)"></i>Stock in the database</span></div><div class="plot"></div>`
    + shares(sale, 'Bought', 'Sold out');
  const top = Math.max(1, ...Object.values(all).flatMap(one => [one.stock, one.sold]));
  draw(card.querySelector('.plot'), sale, top);
}

function renderTransfers(card, run) {
  const change = run.moneyAfter - run.moneyBefore;
  const verdict = change === 0 ? 'Sum unchanged' : `${number(Math.abs(change))} ${change > 0 ? 'appeared' : 'vanished'}`;
  card.innerHTML = head(run, change !== 0, verdict,
      `${number(run.moneyBefore)} before, ${number(run.moneyAfter)} after ${number(run.transfers)} transfers`)
    + shares(run, 'Moved', 'Refused');
}

// --- the picture: stock and units sold over time, both panels on one vertical scale

function draw(plot, sale, top) {
  const width = 480, height = 260, left = 40, right = 84, base = 226, roof = 12;
  const end = Math.max(sale.durationMillis, 1);
  const x = time => left + time / end * (width - left - right);
  const y = value => base - value / top * (base - roof);
  const points = sale.timeline.map((point, index) => ({ ...point, sold: index + 1 }));
  const stair = (start, value) => points.reduce((path, point) => `${path}H${x(point.millis).toFixed(1)}V${y(point[value]).toFixed(1)}`,
    `M${x(0)} ${y(start)}`) + `H${x(end)}`;
  const grid = ticks(top).map(value => `<line x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}" stroke="var(--grid)"/>
    <text x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${number(value)}</text>`).join('');
  const times = [0, end / 2, end].map(time => `<text x="${x(time)}" y="${base + 20}" text-anchor="middle">${millis(time)}</text>`).join('');
  const last = points.at(-1)?.stock ?? sale.stock;
  const clip = `over-${sale.guard}`;
  const labels = apart(y(sale.sold), y(last));
  plot.innerHTML = `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${titles[sale.guard]}: ${sale.sold} sold, stock at the end ${last}">
    <clipPath id="${clip}"><rect x="${left}" y="0" width="${width}" height="${y(sale.stock)}"/></clipPath>
    ${grid}${times}
    <path d="${stair(0, 'sold')}V${base}H${x(0)}Z" fill="var(--bad)" opacity=".16" clip-path="url(#${clip})"/>
    <line x1="${left}" x2="${width - right}" y1="${y(sale.stock)}" y2="${y(sale.stock)}" stroke="var(--soft)" stroke-dasharray="4 4"/>
    <path d="${stair(sale.stock, 'stock')}" fill="none" stroke="var(--stock)" stroke-width="2" stroke-linejoin="round"/>
    <path d="${stair(0, 'sold')}" fill="none" stroke="var(--sold)" stroke-width="2" stroke-linejoin="round"/>
    <text class="end" x="${width - right + 6}" y="${labels[0] + 4}">${number(sale.sold)} sold</text>
    <text class="end" x="${width - right + 6}" y="${labels[1] + 4}">${number(last)} left</text>
    <line class="cursor" y1="${roof}" y2="${base}" stroke="var(--soft)" visibility="hidden"/></svg><div class="tip" hidden></div>`;
  follow(plot, points, sale, time => x(time) / width, share => (share * width - left) / (width - left - right) * end);
}

function ticks(top) {
  const rough = top / 4, unit = 10 ** Math.floor(Math.log10(rough)), step = Math.max(1, [1, 2, 5, 10].find(n => n * unit >= rough) * unit);
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
}

function apart(first, second) {
  const gap = 16 - Math.abs(first - second);
  if (gap <= 0) return [first, second];
  return first < second ? [first - gap / 2, second + gap / 2] : [first + gap / 2, second - gap / 2];
}

function follow(plot, points, sale, place, timeAt) {
  const cursor = plot.querySelector('.cursor'), tip = plot.querySelector('.tip');
  const hide = () => {
    tip.hidden = true;
    cursor.setAttribute('visibility', 'hidden');
  };
  plot.onpointerleave = hide;
  plot.onpointermove = event => {
    const box = plot.getBoundingClientRect();
    const time = timeAt((event.clientX - box.left) / box.width);
    if (time < 0 || time > sale.durationMillis) return hide();
    const point = points.findLast(one => one.millis <= time) ?? { sold: 0, stock: sale.stock };
    const share = place(time);
    tip.hidden = false;
    tip.textContent = `${millis(time)}: ${number(point.sold)} sold, stock ${number(point.stock)}`;
    tip.style.left = share < .5 ? `${share * 100 + 2}%` : 'auto';
    tip.style.right = share < .5 ? 'auto' : `${(1 - share) * 100 + 2}%`;
    cursor.setAttribute('visibility', 'visible');
    cursor.setAttribute('x1', share * 480);
    cursor.setAttribute('x2', share * 480);
  };
}

onRun(byId('sale'), '/flash-sale', renderSale);
onRun(byId('transfers'), '/transfers', renderTransfers);
showInstances();
setInterval(showInstances, 2000);
