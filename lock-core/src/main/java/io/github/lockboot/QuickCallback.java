package io.github.lockboot;

/**
 * A callback for {@link LockHandle#onLost} that does not block, such as an interrupt. A
 * quick callback does not queue behind callbacks that may block.
 */
@Internal
public interface QuickCallback extends Runnable {

}
