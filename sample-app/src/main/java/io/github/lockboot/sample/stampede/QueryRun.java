package io.github.lockboot.sample.stampede;

/**
 * A query was run.
 *
 * @param instance URL of the instance that ran it
 * @param fromMillis when it began, in milliseconds since the stampede did
 * @param toMillis when it ended
 */
record QueryRun(String instance, long fromMillis, long toMillis) {
}
