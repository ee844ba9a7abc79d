package io.github.lockboot.faults;

/**
 * One line of the history. Times are those of {@link System#nanoTime}, which all JVMs of
 * one machine share.
 */
sealed interface Entry {

	/**
	 * Parse a line.
	 * @param line words, separated by blanks
	 */
	static Entry parse(String line) {
		String[] words = line.split(" ");
		Acquisition acquisition = new Acquisition(words[1], words[2], Long.parseLong(words[3]),
				Integer.parseInt(words[4]), Integer.parseInt(words[5]));
		return switch (words[0]) {
			case "start" -> new HoldStarted(acquisition, Long.parseLong(words[6]), Long.parseLong(words[7]),
					Long.parseLong(words[8]), Long.parseLong(words[9]));
			case "end" -> new HoldEnded(acquisition, Long.parseLong(words[6]), words[7].equals("1"));
			case "force" -> new ForceReleased(acquisition, Long.parseLong(words[6]), Long.parseLong(words[7]));
			case "compare" -> new LeaseCompared(acquisition, Long.parseLong(words[6]), Long.parseLong(words[7]),
					Long.parseLong(words[8]));
			default -> throw new IllegalArgumentException(line);
		};
	}

	Acquisition acquisition();

	default String lock() {
		return acquisition().lock();
	}

	/**
	 * The acquisition that an entry belongs to.
	 *
	 * @param lock name of the lock
	 * @param holder the holder: a thread of a worker
	 * @param token fencing token
	 * @param depth re-entrancy depth: how often the holder has acquired the lock,
	 * including this time
	 * @param limit the number of holders that may hold the lock at the same time,
	 * including this one
	 */
	record Acquisition(String lock, String holder, long token, int depth, int limit) {

		boolean isExclusive() {
			return this.limit == 1;
		}

		boolean isOuter() {
			return this.depth == 1;
		}

		@Override
		public String toString() {
			return this.lock + " " + this.holder + " " + this.token + " " + this.depth + " " + this.limit;
		}

	}

	/**
	 * A hold has started.
	 *
	 * @param requestedNanos before the lock was requested
	 * @param earliestNanos before the call of {@code isHeld}
	 * @param startedNanos after {@code isHeld} had returned true
	 * @param promisedNanos until when the lease is certainly valid
	 */
	record HoldStarted(Acquisition acquisition, long requestedNanos, long earliestNanos, long startedNanos,
			long promisedNanos) implements Entry {

	}

	/**
	 * A hold is about to end.
	 *
	 * @param atNanos before the call of {@code isHeld}
	 * @param held the result of {@code isHeld}
	 */
	record HoldEnded(Acquisition acquisition, long atNanos, boolean held) implements Entry {

	}

	/**
	 * The lease of a hold was compared with the key in the store, while it was held.
	 *
	 * @param requestedNanos before the lock was requested
	 * @param leaseNanos the earliest end of the lease according to the handle
	 * @param keyNanos the latest expiry of the key
	 */
	record LeaseCompared(Acquisition acquisition, long requestedNanos, long leaseNanos,
			long keyNanos) implements Entry {

	}

	/**
	 * The lock was released by force.
	 *
	 * @param acquisition the lock, and the thread that released it
	 * @param fromNanos before that
	 * @param toNanos after that
	 */
	record ForceReleased(Acquisition acquisition, long fromNanos, long toNanos) implements Entry {

	}

}
