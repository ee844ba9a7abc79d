package io.github.lockboot.annotation;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

/**
 * Runs bodies with an eye on transactions: a lock taken inside a caller's transaction is
 * kept until that one is completed, and what a thread has locked is known when it
 * commits. Loaded only where Spring's transactions are present.
 */
final class TransactionalSections implements SectionRunner {

	private final ThreadLocal<@Nullable OpenSection> innermost = new ThreadLocal<>();

	private final JoinedTransactions joined;

	private final boolean keepUntilCompletion;

	/**
	 * Create a runner.
	 * @param joined tells which calls join a transaction that is older than their lock
	 * @param keepUntilCompletion whether their locks are kept until its end
	 */
	TransactionalSections(JoinedTransactions joined, boolean keepUntilCompletion) {
		this.joined = joined;
		this.keepUntilCompletion = keepUntilCompletion;
	}

	@Override
	public @Nullable Object run(LockedInvocation invocation) throws Throwable {
		OpenSection outer = this.innermost.get();
		if (this.joined.isJoined(invocation.call())) {
			join(invocation, outer);
		}
		this.innermost.set(new OpenSection(invocation.operations(), invocation.request(), outer));
		try {
			return invocation.proceed();
		}
		finally {
			restore(outer);
		}
	}

	private void restore(@Nullable OpenSection outer) {
		if (outer != null) {
			this.innermost.set(outer);
		}
		else {
			this.innermost.remove();
		}
	}

	private void join(LockedInvocation invocation, @Nullable OpenSection outer) {
		for (String name : invocation.request().names()) {
			KeptLock lock = new KeptLock(invocation.operations(), name, invocation.request().permits());
			boolean older = (outer != null && outer.contains(lock)) || (kept() != null && kept().contains(lock));
			if (!older) {
				this.joined.warn(invocation.attributes(), this.keepUntilCompletion);
				keep(lock);
			}
		}
	}

	private void keep(KeptLock lock) {
		if (!this.keepUntilCompletion) {
			return;
		}
		KeptLocks kept = kept();
		if (kept == null) {
			kept = new KeptLocks(this);
			TransactionSynchronizationManager.bindResource(this, kept);
			TransactionSynchronizationManager.registerSynchronization(kept);
		}
		kept.keep(lock);
	}

	private @Nullable KeptLocks kept() {
		return (KeptLocks) TransactionSynchronizationManager.getResource(this);
	}

	/**
	 * Throw if the present thread has lost one of the locks under which it runs, or which
	 * are kept for its present transaction.
	 * @throws io.github.lockboot.LockLostException if so
	 */
	void ensureHeld() {
		for (OpenSection open = this.innermost.get(); open != null; open = open.outer()) {
			open.ensureHeld();
		}
		KeptLocks kept = kept();
		if (kept != null) {
			kept.ensureHeld();
		}
	}

	/**
	 * A call that runs in the present thread.
	 */
	private record OpenSection(LockOperations operations, LockRequest request, @Nullable OpenSection outer) {

		boolean contains(KeptLock lock) {
			boolean own = this.operations == lock.operations() && this.request.names().contains(lock.name());
			return own || (this.outer != null && this.outer.contains(lock));
		}

		void ensureHeld() {
			this.request.names().forEach(this.operations::ensureHeld);
		}

	}

}
