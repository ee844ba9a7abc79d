package io.github.lockboot.sample.stampede;

/**
 * One run of the query.
 *
 * @param instance URL of the instance that ran it
 * @param fromMillis its begin, in milliseconds since that of the stampede
 * @param toMillis its end
 */
record QueryRun(String instance, long fromMillis, long toMillis) {
}
