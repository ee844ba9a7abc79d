package io.github.lockboot.simulation.exhaustive;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.github.lockboot.redis.ShippedScripts;
import io.github.lockboot.redis.connection.LuaScript;
import io.github.lockboot.simulation.server.RandomCalls;

/**
 * A queue that many waiters have left or still wait in, about which a few calls are made.
 *
 * @param front how many wait in front of these
 * @param left how many have left the queue, which still contains them
 * @param dead how many behind these are dead
 * @param waiting how many behind these wait
 * @param holders how many share the lock, 0 if one holds it exclusively; -1 if none of
 * those that shared it is left
 */
record LongQueue(int front, int left, int dead, int waiting, int holders) {

	/**
	 * Around the length of a short queue, the number of waiters that a call skips, the
	 * length that is swept, and that of the parts of a swept queue.
	 */
	static final List<LongQueue> ALL = List.of(new LongQueue(0, 0, 0, 100, 0), new LongQueue(0, 0, 0, 101, 3),
			new LongQueue(0, 99, 0, 0, 0), new LongQueue(0, 99, 0, 3, 0), new LongQueue(0, 100, 0, 3, 2),
			new LongQueue(0, 101, 0, 3, 0), new LongQueue(0, 170, 0, 73, 0), new LongQueue(1, 1201, 0, 1101, 0),
			new LongQueue(0, 0, 300, 0, 0), new LongQueue(0, 150, 148, 5, 0), new LongQueue(0, 150, 150, 5, -1),
			new LongQueue(0, 200, 120, 5, 4), new LongQueue(0, 0, 0, 2, 12), new LongQueue(0, 0, 0, 2, 303));

	private static final int CALLS = 10;

	private static final long NOW = 1_790_000_000_000_000L;

	private static final String HOLDER = RandomCalls.JVMS.get(0) + ":1";

	/**
	 * Makes random calls.
	 * @param kind of the first one: 0 if a waiter calls again, 1 if another one comes, 2
	 * if one leaves, and 4 if the holder releases the lock
	 */
	void run(Trace trace, int kind) {
		trace.at(NOW);
		fill(trace);
		Random random = new Random(kind);
		for (int i = 0; i < CALLS; i++) {
			trace.at(NOW + i * 300_000L);
			call(trace, random, (i == 0) ? kind : random.nextInt(9), i);
		}
	}

	private void fill(Trace trace) {
		List<String> keys = ShippedScripts.KEYS;
		trace.execute(List.of("SET", keys.get(0), (this.holders != 0) ? "shared" : HOLDER, "PX", "9000"));
		int length = this.front + this.left + this.dead + this.waiting;
		List<String> queue = new ArrayList<>(List.of("RPUSH", keys.get(2)));
		List<String> deadlines = new ArrayList<>(List.of("HSET", keys.get(4)));
		for (int i = 0; i < length; i++) {
			queue.add(waiter(i));
			if (i < this.front || i >= this.front + this.left) {
				long deadline = NOW + ((i >= this.front && i < length - this.waiting) ? -1 : 5_000_000);
				deadlines
					.addAll(List.of(waiter(i), deadline + " 1 " + (NOW - length + i) + ((i % 7 == 0) ? " polls" : "")));
			}
		}
		trace.execute(queue);
		trace.execute(deadlines);
		trace.execute(List.of("PEXPIRE", keys.get(2), "10000"));
		for (int i = 0; i < this.holders; i++) {
			trace.execute(List.of("ZADD", keys.get(5), Long.toString(NOW / 1000 + 9000 - i), holder(i)));
		}
	}

	private void call(Trace trace, Random random, int kind, int number) {
		int behind = this.front + this.left + this.dead;
		String some = waiter(behind + random.nextInt(Math.max(1, this.waiting)));
		String first = waiter((this.front > 0) ? 0 : behind);
		String since = Long.toString(NOW);
		String channels = trace.channels();
		switch (kind) {
			case 0 -> script(trace, ShippedScripts.ACQUIRE, first, "3000", "0", "1", channels, since);
			case 1 -> script(trace, ShippedScripts.ACQUIRE, RandomCalls.JVMS.get(1) + ":new" + number, "3000", "0", "1",
					channels, "tail");
			case 2, 3 -> script(trace, ShippedScripts.RELEASE, some, "0", "3000", channels);
			case 4, 5 -> script(trace, ShippedScripts.RELEASE, holder(0), "0", "3000", channels);
			case 6 -> script(trace, ShippedScripts.KEEP_QUEUED, "", some, "1", since, first, "1", since);
			case 7 -> {
				script(trace, ShippedScripts.INSPECT);
				script(trace, ShippedScripts.FORCE, channels);
			}
			default -> {
				trace.command(List.of("DEL", ShippedScripts.KEYS.get(0)));
				script(trace, ShippedScripts.ACQUIRE, some, "3000", "0", "1", channels, "no");
			}
		}
	}

	private static void script(Trace trace, LuaScript script, String... arguments) {
		trace.script(script, ShippedScripts.KEYS, List.of(arguments));
	}

	private static String holder(int i) {
		return (i == 0) ? HOLDER : RandomCalls.JVMS.get(0) + ":h" + i;
	}

	/** Of two JVMs that are subscribed to their messages, and one that is not. */
	private static String waiter(int i) {
		return RandomCalls.JVMS.get((i % 5 == 0) ? 2 : i % 2) + ":w" + i;
	}

}
