package io.github.lockboot.faults;

/**
 * A worker was killed while it retained a lock that nobody held.
 *
 * @param lock name of the lock
 * @param killedNanos before the worker was killed
 * @param takenNanos when another worker had acquired the lock
 */
record RetainerCrash(String lock, long killedNanos, long takenNanos) {

}
