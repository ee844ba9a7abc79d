// The page: shows the live lock, the code, and the runs with their reports. No library, no build.
import { showCode } from './code.js';
import { watch, on } from './live.js';
import { watchLocks } from './locks.js';
import { runs } from './runs.js';

document.querySelectorAll('figure.code').forEach(figure => showCode(figure, figure.dataset.source, figure.dataset.method));
watch();
watchLocks();
runs(on);
