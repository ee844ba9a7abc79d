package io.github.lockboot.benchmarks.work;

import java.util.ArrayList;
import java.util.List;

import io.github.lockboot.benchmarks.peer.Peer;
import io.github.lockboot.benchmarks.report.Figures;

/**
 * Many locks that are held at once.
 */
public final class ManyLocks {

	private final Peer peer;

	private final List<Runnable> held = new ArrayList<>();

	ManyLocks(Peer peer) {
		this.peer = peer;
	}

	/**
	 * Return the name of one of the locks.
	 * @param number number of the lock, from 0 on
	 */
	public static String name(int number) {
		return "many:" + number;
	}

	Figures hold(int... numbers) {
		for (int i = 0; i < numbers[0]; i++) {
			this.held.add(this.peer.acquire(name(i)));
		}
		return Figures.none();
	}

	Figures releaseAll(int... numbers) {
		this.held.forEach(Runnable::run);
		this.held.clear();
		return Figures.none();
	}

}
