package io.github.lockboot.benchmarks.work;

import java.util.HashSet;
import java.util.Set;

import io.github.lockboot.benchmarks.report.Figures;

/**
 * Counts the threads that were started since the peer was opened.
 */
final class NewThreads implements Task {

	private final Set<Thread> before;

	NewThreads(Set<Thread> before) {
		this.before = Set.copyOf(before);
	}

	@Override
	public Figures run(int... numbers) {
		Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
		now.removeAll(this.before);
		now.forEach((thread) -> System.out.println("thread " + thread.getName()));
		return Figures.of("threads", now.size());
	}

}
