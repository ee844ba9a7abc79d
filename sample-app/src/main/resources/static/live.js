// The lock of the checkout while it is used: what all instances send, as lanes on one time axis.
const byId = id => document.getElementById(id);
const escape = text => String(text).replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`);
const seconds = millis => `${(millis / 1000).toFixed(1)} s`;
const short = url => url.replace(/^https?:\/\//, '').replace(/^localhost/, '');
const ROW = 16, LEASE = 3000, SILENT = 2000;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

const lanes = new Map();
const listeners = { bought: () => {}, query: () => {}, transferred: () => {} };
const outages = [];
let self, ahead = -Infinity, lastToken = '', stock, outage, replaying = false, released;

export const on = (kind, listener) => listeners[kind] = listener;
const now = () => performance.now() + ahead;

// --- instances

async function findInstances() {
  if (document.hidden) return;
  try {
    const found = await (await fetch('instances')).json();
    self = found.self;
    document.querySelectorAll('.faults button').forEach(button => button.disabled = !found.faults);
    found.all.filter(url => lanes.get(url)?.stream === undefined).forEach(connect);
    quiet(false);
  }
  catch {
    quiet(true);
  }
}

function quiet(gone) {
  byId('lanes').classList.toggle('gone', gone);
  if (gone && lanes.size > 0 && !quiet.told) tell('The instance of this page does not answer. Is it still running?', 'bad');
  quiet.told = gone;
}

function connect(url) {
  const known = lanes.get(url);
  const lane = known ?? { url, calls: new Map(), past: [], rows: [], gaps: [], refusals: [] };
  // the page's own instance by its own address, which may be another one for this browser
  const stream = new EventSource(url === self ? 'events' : `${url}/events`);
  lane.stream = stream;
  stream.onopen = () => {
    if (known) tell(`${name(lane)} is back`, 'good');
    lane.heard = undefined;
  };
  stream.onmessage = message => frame(lane, JSON.parse(message.data));
  stream.onerror = () => {
    stream.close();
    if (lane.stream !== stream) return;
    lane.stream = undefined;
    // a process that starts again counts its calls from one
    lane.calls.forEach(call => { if (!call.end) call.end = call.acquired ? call.deadline : lane.at; });
    lane.past.push(...lane.calls.values());
    lane.calls = new Map();
    lane.rows = [];
  };
  if (!known) {
    lanes.set(url, lane);
    if (lanes.size > 1 && findInstances.ready) tell(`${name(lane)} has started`);
    addLane(lane);
  }
}

const name = lane => short(lane.url);

function addLane(lane) {
  const row = document.createElement('div');
  row.className = 'lane';
  row.innerHTML = `<div class="who"><a href="${escape(lane.url)}">${escape(name(lane))}</a><span></span></div><svg aria-hidden="true"></svg>`;
  lane.label = row.querySelector('.who span');
  lane.svg = row.querySelector('svg');
  const after = [...lanes.values()].filter(other => other.row && other.url > lane.url).sort((one, two) => one.url < two.url ? -1 : 1)[0];
  lane.row = row;
  byId('lanes').insertBefore(row, after?.row ?? null);
}

// --- events

function frame(lane, { at, events }) {
  const offset = at - performance.now();
  ahead = Math.max(ahead, offset);
  const heard = lane.at;
  if (heard && at - heard > SILENT) {
    lane.gaps.push({ from: heard, to: at });
    if (lane.heard) tell(`${name(lane)} runs again, after ${seconds(at - heard)}`);
  }
  lane.at = at;
  lane.heard = performance.now();
  replaying = heard === undefined && events.length > 0 && at - events[0].at > 1000;
  events.forEach(event => (handlers[event.kind] ?? (() => {}))(lane, event, lane.calls.get(event.call)));
  replaying = false;
}

const handlers = {
  requested(lane, { call: id, at }) {
    const free = [...lane.rows.keys()].find(row => !lane.rows[row]) ?? lane.rows.length;
    lane.rows[free] = id;
    lane.calls.set(id, { id, row: free, requested: at, renewals: [] });
  },
  acquired(lane, { call: id, at, token, lease }, call) {
    if (!call) {
      handlers.requested(lane, { call: id, at });
      call = lane.calls.get(id);
    }
    lanes.forEach(other => other.calls.forEach(one => { if (one !== call && one.acquired && !one.end) one.deadline = Math.min(one.deadline, at); }));
    Object.assign(call, { acquired: at, token, deadline: at + lease });
    showToken(token);
    if (released && at - released < 2000) byId('handover').textContent = `${Math.max(0, at - released)} ms`;
    released = undefined;
    if (outage && at > outage.at + 50) {
      const wait = at - outage.at;
      if (outage.victim && outage.victim !== lane.url) {
        tell(`${name(lane)} holds the lock now, ${seconds(wait)} after the fault: the lease of ${short(outage.victim)} has run out`, 'good');
        outage = undefined;
      }
      else if (!outage.victim && (wait > 5000 || outage.brief)) {
        tell(`${name(lane)} holds the lock, ${seconds(wait)} after the fault: everybody goes on. ${verdict()}`, 'good');
        outage.end = at;
        outage = undefined;
      }
    }
  },
  renewed(lane, { at, lease }, call) {
    if (!call) return;
    call.deadline = at + lease;
    call.renewals.push(at);
  },
  released(lane, { at }, call) {
    released = at;
    if (call) end(lane, call, at);
  },
  lost(lane, { at, text }, call) {
    if (call) {
      call.lost = true;
      end(lane, call, at);
    }
    tell(`${name(lane)} is told of its loss: ${text.replace(/; last renewed.*/, '')}`, 'bad');
  },
  'not-acquired'(lane, { at }, call) {
    if (call) end(lane, call, at);
  },
  refused(lane, { at, text }) {
    lane.refusals.push(at);
    tell(`The late write of ${name(lane)} is refused by the fence. ${verdict()}`, 'good', text);
  },
  trouble(lane, { text }) {
    tell(`${name(lane)}: ${text}`, 'bad', name(lane));
  },
  sold(lane, event) {
    stock = event;
    const { pieces, left, sold } = event;
    byId('stock').innerHTML = `<span class="pieces" aria-hidden="true"><i style="width:${left / pieces * 100}%"></i></span>${left} of ${pieces} left. ${verdict()}`;
  },
  bought: (lane, event) => listeners.bought(lane.url, event),
  query: (lane, event) => listeners.query(lane.url, event),
  transferred: (lane, event) => listeners.transferred(lane.url, event),
};

function end(lane, call, at) {
  call.end = at;
  lane.rows[call.row] = undefined;
}

function verdict() {
  if (!stock) return '';
  const wrong = stock.sold - (stock.pieces - stock.left);
  return wrong === 0 ? `${stock.sold} sold, nothing oversold.` : `${stock.sold} sold: ${wrong} too many!`;
}

function showToken(token) {
  let same = 0;
  while (same < token.length && token[same] === lastToken[same]) same++;
  lastToken = token;
  byId('token').innerHTML = `<span title="${token}">…${token.slice(Math.max(0, same - 2), same)}</span><b>${token.slice(same)}</b>`;
}

function tell(text, mood = '', group) {
  if (replaying) return; // of the time before this page was opened
  const log = byId('log');
  const time = new Date(now() > 0 ? now() : Date.now()).toTimeString().slice(0, 8);
  const newest = log.firstElementChild;
  if (group && [...log.children].slice(0, 3).some(line => line.dataset.group === group && line.lastChild.textContent === text)) return;
  const line = document.createElement('li');
  line.className = mood;
  if (group) line.dataset.group = group;
  line.innerHTML = `<time>${time}</time> <span>${escape(text)}</span>`;
  log.insertBefore(line, newest);
  while (log.children.length > 7) log.lastElementChild.remove();
}

// --- faults

async function breakIt(button) {
  const fault = button.dataset.fault;
  button.disabled = true;
  if (fault?.endsWith('holder')) tell('Waiting for the next holder that this page may break: any instance but its own …');
  try {
    const response = await fetch(fault ? `faults/${fault}` : 'instances', { method: 'POST' });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail ?? `The server answered ${response.status}.`);
    const victim = /https?:\/\/\S+?(?=[,\s])/.exec(answer.done)?.[0];
    const waiting = [...lanes.values()].flatMap(lane => [...lane.calls.values()]).filter(call => !call.acquired && !call.end).length;
    tell(victim ? `${answer.done.replace(victim, short(victim))}. ${waiting} wait until its lease has run out` : answer.done, 'bad');
    if (fault) {
      outage = { at: now(), victim, brief: fault === 'cut-connections' };
      if (!victim) outages.push(outage);
    }
  }
  catch (error) {
    tell(error.message, 'bad');
  }
  button.disabled = false;
}

// --- the picture

function draw() {
  const time = now();
  const width = lanes.size ? lanes.values().next().value.svg.clientWidth : 0, span = width < 500 ? 10000 : 20000;
  byId('axis-from').textContent = `${span / 1000} s ago`;
  const x = at => width - (time - at) / span * width;
  let holder;
  const queue = [];
  lanes.forEach(lane => {
    const silent = lane.at && time - lane.at > SILENT;
    lane.calls.forEach(call => { if ((call.end ?? time) < time - span - 500) lane.calls.delete(call.id); });
    lane.past = lane.past.filter(call => call.end > time - span);
    lane.gaps = lane.gaps.filter(gap => gap.to > time - span);
    lane.refusals = lane.refusals.filter(at => at > time - span);
    const calls = [...lane.past, ...lane.calls.values()];
    const waiting = calls.filter(call => !call.acquired && !call.end).length;
    const holding = calls.find(call => call.acquired && call.deadline > time && (call.end ?? time) >= time);
    if (holding && (!holder || holding.acquired > holder.call.acquired)) holder = { lane, call: holding, silent };
    if (!silent) queue.push(...calls.filter(call => !call.acquired && !call.end).map(call => ({ lane, since: call.requested })));
    lane.label.textContent = !lane.stream && silent ? `restarting for ${Math.round((time - lane.at) / 1000)} s${holding ? ', its lease runs' : ''}` : silent ? (holding ? 'frozen, its lease runs' : 'frozen')
      : holding ? 'holds the lock' : waiting ? `${waiting} waiting` : 'pauses';
    lane.row.className = `lane ${holding ? 'holds' : ''} ${silent ? 'silent' : ''}`;
    const rows = Math.max(2, lane.rows.length);
    lane.svg.setAttribute('height', rows * ROW + 6);
    const gaps = [...lane.gaps, ...(silent ? [{ from: lane.at, to: time }] : [])]
      .map(gap => box(x(gap.from), 0, x(gap.to), rows * ROW + 6, 'dead'));
    const bands = outages.filter(one => (one.end ?? time) > time - span).map(one => box(x(one.at), 0, x(one.end ?? time), rows * ROW + 6, 'outage'));
    lane.svg.innerHTML = gaps.join('') + bands.join('') + calls.map(call => drawCall(call, x, time)).join('')
      + lane.refusals.map(at => cross(x(at), rows * ROW / 2 + 3)).join('');
  });
  showState(holder, queue, time);
}

function drawCall(call, x, time) {
  const top = call.row * ROW + 4, end = call.end ?? time;
  const waited = box(x(call.requested), top + 4, x(call.acquired ?? end), top + 8, 'waits');
  if (!call.acquired) return waited;
  const lost = Math.min(end, time) > call.deadline + 100 || call.lost;
  const held = Math.min(end, time, lost ? call.deadline : time);
  return waited + box(x(call.acquired), top, x(held), top + 12, 'held') + (lost ? box(x(held), top, x(end), top + 12, 'over') : '')
    + call.renewals.map(at => `<rect class="mark" x="${(x(at) - 1).toFixed(1)}" y="${top}" width="2" height="12"/>`).join('');
}

const cross = (left, top) =>
  `<path class="refused" d="M${(left - 6).toFixed(1)} ${top - 6}l12 12m0 -12l-12 12"><title>A late write was refused</title></path>`;

const box = (left, top, right, bottom, kind) =>
  `<rect class="${kind}" x="${left.toFixed(1)}" y="${top}" width="${Math.max(1, right - left).toFixed(1)}" height="${bottom - top}" rx="2"/>`;

function showState(holder, queue, time) {
  const left = holder ? Math.max(0, holder.call.deadline - time) : 0;
  byId('holder').textContent = holder ? name(holder.lane) : 'nobody';
  byId('queue').textContent = `${queue.length} waiting`;
  byId('order').innerHTML = queue.sort((one, other) => one.since - other.since).slice(0, 12)
    .map(({ lane, since }, place) => `<span class="chip" title="waits for ${seconds(time - since)}"><i>${place + 1}</i>${escape(name(lane))}</span>`).join('');
  byId('lease').style.width = `${Math.min(1, left / LEASE) * 100}%`;
  byId('lease-left').textContent = holder ? seconds(left) : '-';
}

let drawn = 0;
function animate(at) {
  if (at - drawn > (calm.matches ? 1000 : 33)) {
    drawn = at;
    if (lanes.size && ahead > 0) draw();
  }
  requestAnimationFrame(animate);
}

export function watch() {
  byId('origin').textContent = location.origin;
  document.querySelectorAll('.faults button').forEach(button => button.addEventListener('click', () => breakIt(button)));
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return findInstances().then(() => findInstances.ready = true);
    findInstances.ready = false;
    // nobody watches: the instances may rest
    lanes.forEach(lane => {
      lane.stream?.close();
      lane.row.remove();
    });
    lanes.clear();
  });
  findInstances().then(() => {
    findInstances.ready = true;
    tell('All instances want the lock of one lamp; Redis hands it from one to the next.');
  });
  setInterval(findInstances, 1000);
  requestAnimationFrame(animate);
}
