package io.github.lockboot;

/**
 * A callback of the library's own for {@link LockHandle#onLost} that does not block, such
 * as an interrupt. It does not wait for a thread behind those that may.
 *
 * @since 1.0.0
 */
@Internal
public interface QuickCallback extends Runnable {

}
