package io.github.lockboot.engine;

import org.jspecify.annotations.Nullable;

/**
 * What each thread holds through a section, innermost first: the memory that makes
 * sections re-entrant. A thread without a section has no entry.
 */
final class ThreadHolds {

	private final ThreadLocal<@Nullable Entry> innermost = new ThreadLocal<>();

	/**
	 * Return the present thread's hold of a lock.
	 * @param lock name of the lock
	 * @return the hold, or {@code null}
	 */
	@Nullable Hold find(String lock) {
		for (Entry entry = this.innermost.get(); entry != null; entry = entry.outer) {
			if (entry.hold.name().equals(lock)) {
				return entry.hold;
			}
		}
		return null;
	}

	void enter(Hold hold) {
		this.innermost.set(new Entry(hold, this.innermost.get()));
	}

	/** Leave the innermost section: sections of one thread end in reverse order. */
	void leave() {
		Entry entry = this.innermost.get();
		if (entry == null || entry.outer == null) {
			this.innermost.remove();
		}
		else {
			this.innermost.set(entry.outer);
		}
	}

	private record Entry(Hold hold, @Nullable Entry outer) {

	}

}
