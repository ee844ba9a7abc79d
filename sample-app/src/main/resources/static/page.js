// What the parts of the page share.
export const byId = id => document.getElementById(id);
export const escape = text => String(text).replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`);
export const host = url => url.replace(/^https?:\/\//, '').replace(/^localhost/, '');
export const seconds = millis => `${(millis / 1000).toFixed(1)} s`;
export const timeOfDay = at => new Date(at).toTimeString().slice(0, 8);
export const calm = matchMedia('(prefers-reduced-motion: reduce)');
