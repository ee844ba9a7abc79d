// The locks that any instance holds, as the endpoint of this instance lists them.
import { byId, escape, timeOfDay } from './page.js';

const MOST = 1;

async function list() {
  // a run counts the commands of Redis
  if (document.hidden || document.querySelector('.primary:disabled')) return;
  try {
    const { templates } = await (await fetch('actuator/locks?scope=cluster')).json();
    show(Object.values(templates).flatMap(template => template.cluster ?? []));
  }
  catch {
    show([]); // the lanes tell why
  }
}

function show(locks) {
  const more = locks.length > MOST ? `<li>and ${locks.length - MOST} more</li>` : '';
  byId('locks').innerHTML = locks.slice(0, MOST).map(lock => `<li><b>${escape(lock.name)}</b>, ${lock.waiting} in the queue
    <span>${lock.heldBy.slice(0, MOST).map(holder).join('; ')}${lock.holders > MOST ? ` and ${lock.holders - MOST} more` : ''}</span></li>`).join('')
    + more || '<li>none is held now</li>';
}

function holder({ owner, application, host, process, reason, since }) {
  if (!process) return `unknown (${escape(owner)})`;
  const who = [application, host].filter(Boolean).join(' on ');
  return escape(`${who}, process ${process}${reason ? `, ${reason}` : ''}${since ? ` since ${timeOfDay(since)}` : ''}`);
}

// one request at a time, because a browser has few connections to one host
export async function watchLocks() {
  await list();
  setTimeout(watchLocks, 1000);
}
