// Shows a method as it is in the source that runs, with its annotations lit.
import { escape } from './page.js';

const sources = new Map();

function source(name) {
  if (!sources.has(name)) {
    sources.set(name, fetch(`source/${name}.java`).then(response => response.ok ? response.text() : '').catch(() => ''));
  }
  return sources.get(name);
}

export async function showCode(figure, name, method) {
  const lines = (await source(name)).split('\n');
  const start = lines.findIndex(line => line.startsWith('\t') && line.includes(` ${method}(`) && line.endsWith('{'));
  if (start < 0) return;
  let first = start;
  while (/^\t(@|\t)/.test(lines[first - 1])) first--;
  const last = lines.findIndex((line, index) => index > start && line === '\t}');
  const code = lines.slice(first, last + 1).map(line => paint(line.slice(1).replaceAll('\t', '  '))).join('\n');
  figure.innerHTML = `<figcaption>${escape(name.split('/').at(-1))}.java</figcaption><pre tabindex="0"><code>${code}</code></pre>`;
}

function paint(line) {
  const [, code, comment] = /^(.*?)(\/\/.*)?$/.exec(line);
  const text = escape(code)
    .replace(/&#34;.*?&#34;/g, '<span class="text">$&</span>')
    .replace(/\b(public|private|void|boolean|int|long|return|if|throw|new|this|true|false)\b/g, '<b>$1</b>');
  const lit = /^@(Distributed|RedisCache)/.test(line) ? `<mark>${text}</mark>` : /^@/.test(line) ? `<span class="at">${text}</span>` : text;
  return lit + (comment ? `<i>${escape(comment)}</i>` : '');
}
