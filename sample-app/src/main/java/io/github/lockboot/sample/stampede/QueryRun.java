package io.github.lockboot.sample.stampede;

/**
 * One run of the query.
 *
 * @param instance URL of the instance that ran the query
 * @param fromMillis the start of the query, in milliseconds since the start of the
 * stampede
 */
record QueryRun(String instance, long fromMillis, long toMillis) {
}
