package io.github.lockboot.simulation;

import java.util.random.RandomGenerator;

/** Random numbers that are the same on every JDK (SplitMix64). */
final class Seed implements RandomGenerator {

	/** Whether to draw the least of the numbers that are possible. */
	private final boolean least;

	private long state;

	Seed(long state) {
		this(state, false);
	}

	private Seed(long state, boolean least) {
		this.state = state;
		this.least = least;
	}

	/** Return numbers of which those with a bound are the least possible ones. */
	static Seed ofLeast(long state) {
		return new Seed(state, true);
	}

	@Override
	public long nextLong() {
		this.state += 0x9E3779B97F4A7C15L;
		return mix(this.state);
	}

	@Override
	public long nextLong(long bound) {
		return this.least ? 0 : (nextLong() >>> 1) % bound;
	}

	@Override
	public int nextInt(int bound) {
		return (int) nextLong(bound);
	}

	long between(long least, long most) {
		return least + nextLong(most - least + 1);
	}

	boolean isOneOf(int many) {
		return !this.least && nextLong(many) == 0;
	}

	/** Return numbers of their own for a part of the world. */
	Seed of(long part) {
		return new Seed(mix(this.state ^ mix(part + 1)), this.least);
	}

	static long mix(long number) {
		long mixed = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
		mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
		return mixed ^ (mixed >>> 31);
	}

}
