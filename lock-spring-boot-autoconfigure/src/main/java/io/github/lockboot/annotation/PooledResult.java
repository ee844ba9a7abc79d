package io.github.lockboot.annotation;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.advice.ForwardingCall;

/**
 * The future of an {@code @Async} method: it runs in a thread of a pool, which waits for
 * that future anyway, so that this thread may hold the lock until then.
 */
final class PooledResult implements ResultKind {

	@Override
	public @Nullable Object run(MethodInvocation call, Locking locking) throws Throwable {
		return locking.runHere(new AwaitedCall(call));
	}

	private static final class AwaitedCall extends ForwardingCall {

		AwaitedCall(MethodInvocation call) {
			super(call);
		}

		@Override
		public @Nullable Object proceed() throws Throwable {
			Object result = super.proceed();
			if (result instanceof Future<?> future) {
				await(future);
			}
			return result;
		}

		/** How it ended is told by the future itself. */
		private static void await(Future<?> future) throws InterruptedException {
			try {
				future.get();
			}
			catch (ExecutionException | CancellationException ex) {
				return;
			}
			catch (InterruptedException ex) {
				future.cancel(true);
				throw ex;
			}
		}

	}

}
