@file:JvmName("CoroutineLocks")

package io.github.lockboot.kotlin

import io.github.lockboot.LockHandle
import io.github.lockboot.LockLostException
import io.github.lockboot.LockNotAcquiredException
import io.github.lockboot.LockRequest
import io.github.lockboot.LockUnavailableException
import io.github.lockboot.OnLost
import io.github.lockboot.ReactiveLockOperations
import io.github.lockboot.ReactiveLockOperations.NotBegunException
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.future.await
import kotlinx.coroutines.isActive
import kotlinx.coroutines.job
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.withContext
import reactor.core.publisher.Mono
import reactor.core.publisher.Sinks
import reactor.util.context.Context
import reactor.util.context.ContextView
import java.util.concurrent.CompletableFuture
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Run a section of suspend functions under a lock, and return the value of the section. No thread is
 * blocked.
 *
 * The lock belongs to the section, not to a thread. It is released when the section has ended with all of
 * its children, also after a failure or a cancellation, and the result is passed on after that. A coroutine
 * that is cancelled while it waits for the lock leaves the queue.
 *
 * Sections are re-entrant: suspend functions that a section calls, and its children, acquire the lock of
 * the section again at once. The same applies to annotated suspend functions and to pipelines of
 * [ReactiveLockOperations], in both directions. A blocking call, such as
 * [LockOperations.execute][io.github.lockboot.LockOperations.execute], waits like any other caller.
 *
 * If the lease is lost, [OnLost] applies as to any section; with [OnLost.INTERRUPT] the section is cancelled.
 *
 * A section runs in the context of its caller, but cannot emit into a flow that begins outside. With
 * `Dispatchers.Unconfined`, as in a controller of WebFlux, it begins on a thread of Reactor, which it must not
 * block.
 *
 * @param request which lock to acquire, and how: a wait time, several locks, a shared lock, permits
 * @param section the section to run
 * @return the value of the section
 * @throws LockNotAcquiredException if the lock stayed busy for the wait time, or too many callers waited for
 * it; the section did not run
 * @throws LockUnavailableException if the store cannot be reached
 * @throws LockLostException if the lease was lost while the section ran, unless the policy is [OnLost.LOG]
 * @since 1.0.0
 */
public suspend fun <T> ReactiveLockOperations.withLock(
	request: LockRequest,
	section: suspend CoroutineScope.() -> T,
): T = acquireFor(request).run(section)

/**
 * Run a section of suspend functions under a lock, and return the value of the section: as [withLock] with a
 * request that has the default settings but for the wait time.
 *
 * @param name name of the lock
 * @param waitTime how long to wait for a busy lock, zero for a single attempt; `null` for the default
 * @param section the section to run
 * @return the value of the section
 * @throws LockNotAcquiredException if the lock stayed busy for the wait time
 * @since 1.0.0
 */
public suspend fun <T> ReactiveLockOperations.withLock(
	name: String,
	waitTime: Duration? = null,
	section: suspend CoroutineScope.() -> T,
): T = withLock(request(name, waitTime), section)

/**
 * Run a section of suspend functions under a lock, if the lock is acquired within the wait time: as [withLock]
 * in all else.
 *
 * @param request which lock to acquire, and how
 * @param section the section to run
 * @return the value of the section, or `null` if the lock stayed busy and the section did not run
 * @since 1.0.0
 */
public suspend fun <T : Any> ReactiveLockOperations.withLockOrNull(
	request: LockRequest,
	section: suspend CoroutineScope.() -> T,
): T? {
	val acquired = try {
		acquireFor(request)
	} catch (busy: LockNotAcquiredException) {
		return null
	}
	return acquired.run(section)
}

/**
 * Run a section of suspend functions under a lock, if the lock is acquired within the wait time.
 *
 * @param name name of the lock
 * @param waitTime how long to wait for a busy lock, zero for a single attempt; `null` for the default
 * @param section the section to run
 * @return the value of the section, or `null` if the lock stayed busy and the section did not run
 * @since 1.0.0
 */
public suspend fun <T : Any> ReactiveLockOperations.withLockOrNull(
	name: String,
	waitTime: Duration? = null,
	section: suspend CoroutineScope.() -> T,
): T? = withLockOrNull(request(name, waitTime), section)

/**
 * Return the hold of a lock in whose section, or annotated function, the coroutine runs: for its fencing
 * token, or to check before a write that the lock is held. The section releases the lock, not its caller.
 *
 * @param name name of the lock
 * @return the hold
 * @throws IllegalStateException if the coroutine does not hold the lock in one of these ways
 * @since 1.0.0
 */
public suspend fun ReactiveLockOperations.heldLock(name: String): LockHandle = held(name).awaitSingle()

private fun request(name: String, waitTime: Duration?) = LockRequest.of(name).waitTime(waitTime?.toJavaDuration())

private suspend fun ReactiveLockOperations.acquireFor(request: LockRequest): CoroutineSection {
	currentCoroutineContext().ensureActive()
	val acquired = CompletableFuture<ContextView>()
	val end = Sinks.empty<Unit>()
	val section = Mono.deferContextual { context ->
		acquired.complete(context)
		end.asMono()
	}
	val outer = currentCoroutineContext()[ReactorContext]?.context ?: Context.empty()
	val released = execute(request, section).contextWrite(outer).toFuture()
	released.whenComplete { _, failure -> failure?.let(acquired::completeExceptionally) }
	try {
		return CoroutineSection(acquired.await(), end, released)
	} catch (ex: Throwable) {
		end.tryEmitError(NotBegunException()) // the lock may have been acquired just before the cancellation
		released.cancel(false)
		throw ex
	}
}

/**
 * A section that has acquired its lock. For [ReactiveLockOperations] it is a publisher, which ends with the
 * section.
 */
private class CoroutineSection(
	private val context: ContextView,
	private val end: Sinks.Empty<Unit>,
	private val released: CompletableFuture<Unit?>,
) {

	private var begun = false

	suspend fun <T> run(section: suspend CoroutineScope.() -> T): T {
		val result = try {
			withContext(ReactorContext(context)) {
				begun = true
				cancelOnLoss(this)
				section()
			}
		} catch (ex: Throwable) {
			throw fail(ex)
		}
		end.tryEmitEmpty()
		withContext(NonCancellable) { released.await() }
		return result
	}

	/** With [OnLost.INTERRUPT] the publisher ends before the section. */
	private fun cancelOnLoss(scope: CoroutineScope) {
		val job = scope.coroutineContext.job
		released.whenComplete { _, loss -> loss?.let { job.cancel(CancellationException(it.message)) } }
	}

	/** End the publisher with the failure of the section, and return what to throw after the release. */
	private suspend fun fail(failure: Throwable): Throwable {
		end.tryEmitError(if (begun) failure else NotBegunException())
		val outcome = withContext(NonCancellable) { released.handle { _, ex: Throwable? -> ex }.await() }
		if (outcome == null || outcome === failure || !begun) {
			return failure
		}
		val interrupted = failure is CancellationException && currentCoroutineContext().isActive
		val thrown = if (interrupted) outcome else failure
		thrown.addSuppressed(if (interrupted) failure else outcome)
		return thrown
	}

}
