// The lock of the checkout while it is used: the events of all instances, as lanes on one time axis.
import { byId, calm, escape, host, seconds, timeOfDay } from './page.js';

const ROW = 16, LEASE = 3000, SILENT = 2000, FORGOTTEN = 60000;

const lanes = new Map();
const listeners = { bought: () => {}, query: () => {} };
const outages = [];
let self, ahead = -Infinity, lastToken = '', stock, outage, ready = false, gone = false, replaying = false;

export const on = (kind, listener) => listeners[kind] = listener;
const now = () => performance.now() + ahead;
const name = lane => host(lane.url);
const callsOf = lane => [...lane.past, ...lane.calls.values()];
const waits = call => !call.acquired && !call.end;

// --- instances

async function findInstances() {
  if (document.hidden) return;
  try {
    const found = await (await fetch('instances')).json();
    self = found.self;
    document.querySelectorAll('.faults button').forEach(button => button.disabled = !found.faults);
    found.all.filter(url => !lanes.get(url)?.stream).forEach(connect);
    answers(true);
  }
  catch {
    answers(false);
  }
}

function answers(does) {
  byId('lanes').classList.toggle('gone', !does);
  if (!does && !gone && lanes.size > 0) tell('The instance of this page does not answer. Is it still running?', 'bad');
  gone = !does;
}

function connect(url) {
  const lane = lanes.get(url) ?? addLane(url);
  // the page's own instance by its own address, which may be another one for this browser
  const stream = new EventSource(url === self ? 'events' : `${url}/events`);
  let first = true;
  lane.stream = stream;
  stream.onmessage = message => {
    frame(lane, JSON.parse(message.data), first);
    first = false;
  };
  stream.onerror = () => {
    stream.close();
    if (lane.stream !== stream) return;
    if (!lane.at) return removeLane(lane);
    lane.stream = undefined;
    lane.down = true;
    // a process that starts again counts its calls from one
    lane.calls.forEach(call => call.end ??= call.acquired ? call.deadline : lane.at);
    lane.past.push(...lane.calls.values());
    lane.calls = new Map();
    lane.rows = [];
  };
}

function addLane(url) {
  const lane = { url, late: ready, calls: new Map(), past: [], rows: [], gaps: [], refusals: [] };
  const row = document.createElement('div');
  row.className = 'lane';
  row.innerHTML = `<div class="who"><a href="${escape(url)}">${escape(name(lane))}</a><span></span><span></span></div><svg aria-hidden="true"></svg>`;
  const [label, since] = row.querySelectorAll('.who span');
  Object.assign(lane, { row, label, since, svg: row.querySelector('svg') });
  const next = [...lanes.values()].filter(other => other.url > url).sort((one, two) => one.url < two.url ? -1 : 1)[0];
  byId('lanes').insertBefore(row, next?.row ?? null);
  lanes.set(url, lane);
  return lane;
}

function removeLane(lane) {
  lane.stream?.close();
  lane.stream = undefined;
  lane.row.remove();
  lanes.delete(lane.url);
}

// --- events

// the first frame of a stream also has the last 20 s
function frame(lane, { at, events }, first) {
  ahead = Math.max(ahead, at - performance.now());
  const before = lane.at;
  if (at - before > SILENT) {
    lane.gaps.push({ from: before, to: at });
    tell(`${name(lane)} ${lane.down ? 'has restarted' : 'runs again'} after ${seconds(at - before)}`);
  }
  else if (!before && lane.late) tell(`${name(lane)} has started`);
  lane.at = at;
  lane.down = false;
  replaying = first && !before;
  events.filter(event => !first || replaying || event.at > before)
    .forEach(event => handlers[event.kind]?.(lane, event, lane.calls.get(event.call)));
  replaying = false;
}

const handlers = {
  requested(lane, { call: id, at }) {
    const free = [...lane.rows.keys()].find(row => !lane.rows[row]) ?? lane.rows.length;
    lane.rows[free] = id;
    lane.calls.set(id, { id, row: free, requested: at, renewals: [] });
  },
  acquired(lane, { call: id, at, token, lease, reason: why }, call) {
    if (!call) {
      handlers.requested(lane, { call: id, at });
      call = lane.calls.get(id);
    }
    lanes.forEach(other => other.calls.forEach(one => { if (one !== call && one.acquired < at && !one.end) one.deadline = Math.min(one.deadline, at); }));
    Object.assign(call, { acquired: at, deadline: at + lease, why });
    showToken(token);
    if (outage && at > outage.at + 50) goOn(lane, at);
  },
  renewed(lane, { at, lease }, call) {
    if (!call) return;
    call.deadline = at + lease;
    call.renewals.push(at);
  },
  released(lane, { at }, call) {
    if (!call) return;
    call.released = at;
    end(lane, call, at);
  },
  lost(lane, { at, text }, call) {
    if (call) {
      call.lost = true;
      end(lane, call, at);
    }
    tell(`${name(lane)} learns that it has lost the lock: ${reason(text)}`, 'bad');
  },
  'not-acquired'(lane, { at }, call) {
    if (call) end(lane, call, at);
  },
  fault(lane, { at, text }) {
    if (replaying) return;
    const waiting = [...lanes.values()].flatMap(callsOf).filter(waits).length;
    tell(`${name(lane)} holds the lock and ${text}. ${waiting} callers wait until the lease runs out`, 'bad');
    outage = { at, victim: lane };
  },
  refused(lane, { at, text }) {
    lane.refusals.push(at);
    const whose = text.includes('fencing token') ? 'The database refuses' : 'The library refuses';
    tell(`${whose} the late write of ${name(lane)}: ${reason(text)}. ${verdict()}`, 'good');
  },
  trouble(lane, { text }) {
    tell(`${name(lane)}: ${text}`, 'bad', true);
  },
  sold(lane, event) {
    stock = event;
    const { pieces, left } = event;
    byId('stock').innerHTML = `<span class="pieces" aria-hidden="true"><i style="width:${left / pieces * 100}%"></i></span>${left} of ${pieces} left. ${verdict()}`;
  },
  bought: (lane, event) => listeners.bought(lane.url, event),
  query: (lane, event) => listeners.query(lane.url, event),
};

function end(lane, call, at) {
  call.end = at;
  lane.rows[call.row] = undefined;
}

function goOn(lane, at) {
  const { victim, brief } = outage, wait = at - outage.at;
  if (victim && victim !== lane) {
    tell(`${name(lane)} holds the lock now, ${seconds(wait)} after the fault: the lease of ${name(victim)} has run out`, 'good');
  }
  else if (!victim && (wait > 5000 || brief)) {
    tell(`${name(lane)} holds the lock, ${seconds(wait)} after the fault: all instances go on. ${verdict()}`, 'good');
  }
  else return;
  outage.end = at;
  outage = undefined;
}

function verdict() {
  if (!stock) return '';
  const wrong = stock.sold - (stock.pieces - stock.left);
  return wrong === 0 ? `${stock.sold} sold, nothing oversold.` : `${stock.sold} sold: ${wrong} too many!`;
}

// the end of a message, with the last six digits of a token
const reason = text => text.replace(/^Lock '.*?' was lost after \d+ ms: /, '').replace(/; last renewed.*/, '').replace(/\d+(?=\d{6})/g, '…\u2060');

function showToken(token) {
  let same = 0;
  while (same < token.length && token[same] === lastToken[same]) same++;
  lastToken = token;
  byId('token').innerHTML = `<span title="${token}">…${token.slice(Math.max(0, same - 2), same)}</span><b>${token.slice(same)}</b>`;
}

function tell(text, mood = '', once = false) {
  if (replaying) return;
  const log = byId('log');
  if (once && [...log.children].slice(0, 3).some(line => line.lastChild.textContent === text)) return;
  const line = document.createElement('li');
  line.className = mood;
  line.innerHTML = `<time>${timeOfDay(now() > 0 ? now() : Date.now())}</time> <span>${escape(text)}</span>`;
  log.prepend(line);
  while (log.children.length > 12) log.lastElementChild.remove();
}

// --- faults

async function breakIt(button) {
  const fault = button.dataset.fault, holder = fault?.endsWith('holder');
  button.disabled = true;
  if (holder) tell('Waiting for the next holder. Any instance but that of this page can be broken …');
  try {
    const response = await fetch(fault ? `faults/${fault}` : 'instances', { method: 'POST' });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail ?? `The server answered ${response.status}.`);
    // a holder tells it itself
    if (!holder) tell(answer.done, fault ? 'bad' : '');
    if (fault && !holder) outages.push(outage = { at: now(), brief: fault === 'cut-connections' });
  }
  catch (error) {
    tell(error.message, 'bad');
  }
  button.disabled = false;
}

// --- the picture

function draw() {
  const time = now();
  const width = lanes.values().next().value.svg.clientWidth, span = width < 500 ? 10000 : 20000;
  byId('axis-from').textContent = `${span / 1000} s ago`;
  const x = at => width - (time - at) / span * width;
  const queue = [];
  let holder;
  for (const lane of lanes.values()) {
    if (lane.down && time - lane.at > FORGOTTEN) {
      removeLane(lane);
      continue;
    }
    lane.calls.forEach(call => { if ((call.end ?? time) < time - span - 500) lane.calls.delete(call.id); });
    lane.past = lane.past.filter(call => call.end > time - span);
    lane.gaps = lane.gaps.filter(gap => gap.to > time - span);
    lane.refusals = lane.refusals.filter(at => at > time - span);
    const calls = callsOf(lane), waiting = calls.filter(waits);
    const holding = calls.find(call => call.acquired && call.deadline > time && (call.end ?? time) >= time);
    lane.silent = lane.down || time - lane.at > SILENT;
    if (holding && !(holder?.call.acquired > holding.acquired)) holder = { lane, call: holding };
    if (!lane.silent) queue.push(...waiting.map(call => ({ lane, since: call.requested })));
    lane.label.textContent = lane.silent ? `${lane.down ? 'restarting' : 'frozen'}, ${Math.round((time - lane.at) / 1000)} s`
      : holding ? holding.why ?? 'holds the lock' : waiting.length ? `${waiting.length} waiting` : 'pauses';
    lane.since.textContent = holding && !lane.silent ? `since ${timeOfDay(holding.acquired)}` : '';
    lane.row.className = `lane ${holding ? 'holds' : ''} ${lane.silent ? 'silent' : ''}`;
    drawLane(lane, calls, x, time);
  }
  showState(holder, queue, time);
}

function drawLane(lane, calls, x, time) {
  const rows = Math.max(2, lane.rows.length), height = rows * ROW + 6;
  const band = (kind, from, to) => x(to) < 0 ? '' : box(x(from), 0, x(to), height, kind);
  const silence = time - lane.at > SILENT ? [{ from: lane.at, to: time }] : [];
  lane.svg.setAttribute('height', height);
  lane.svg.innerHTML = [...lane.gaps, ...silence].map(gap => band('dead', gap.from, gap.to)).join('')
    + outages.map(one => band('outage', one.at, one.end ?? time)).join('')
    + calls.map(call => drawCall(call, x, time)).join('')
    + lane.refusals.map(at => cross(x(at), height / 2)).join('');
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
  byId('lease').style.width = `${Math.min(1, left / LEASE) * 100}%`;
  byId('lease-left').textContent = holder ? seconds(left) : '-';
  const slot = (kind, place, who, since) => `<li class="${kind}"><i>${place}</i><b>${escape(who)}</b><span>${since}</span></li>`;
  byId('queue').innerHTML = (holder ? slot(holder.lane.silent ? 'silent' : 'holds', 'holds', name(holder.lane), seconds(time - holder.call.acquired)) : slot('', 'holds', '-', '-'))
    + queue.sort((one, other) => one.since - other.since).map(({ lane, since }, place) => slot('', place + 1, name(lane), seconds(time - since))).join('');
  byId('handover').textContent = handOver();
}

// from a release to the next acquisition, where somebody was waiting
function handOver() {
  const holders = [...lanes.values()].flatMap(callsOf).filter(call => call.acquired).sort((one, other) => one.acquired - other.acquired);
  const times = holders.slice(1).map((call, index) => call.requested < holders[index].released ? Math.max(0, call.acquired - holders[index].released) : NaN)
    .filter(time => time >= 0);
  if (times.length === 0) return '-';
  const show = time => time < 1 ? '< 1 ms' : `${time} ms`;
  return `${show(times.at(-1))}, median ${show([...times].sort((one, other) => one - other)[times.length >> 1])}`;
}

let drawn = 0;
function animate(at) {
  if (at - drawn > (calm.matches ? 1000 : 33)) {
    drawn = at;
    // the lanes of one page fit each other only when all have arrived
    if (lanes.size && [...lanes.values()].every(lane => lane.at)) draw();
  }
  requestAnimationFrame(animate);
}

export function watch() {
  byId('origin').textContent = location.origin;
  document.querySelectorAll('.faults button').forEach(button => button.addEventListener('click', () => breakIt(button)));
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return findInstances().then(() => ready = true);
    ready = false;
    lanes.forEach(removeLane);
  });
  findInstances().then(() => {
    ready = true;
    tell('All instances want the lock of one lamp; Redis hands the lock from one to the next.');
  });
  setInterval(findInstances, 1000);
  requestAnimationFrame(animate);
}
