package io.github.lockboot.faults;

/**
 * One line of the ledger's history. Times are those of {@link System#nanoTime}, which all
 * JVMs of one machine share.
 */
sealed interface Entry {

	/**
	 * Parse a line.
	 * @param line words, separated by blanks
	 * @return what it says
	 */
	static Entry parse(String line) {
		String[] words = line.split(" ");
		Acquisition acquisition = new Acquisition(words[1], words[2], Long.parseLong(words[3]),
				Integer.parseInt(words[4]), Integer.parseInt(words[5]));
		return switch (words[0]) {
			case "open" ->
				new Opened(acquisition, Long.parseLong(words[6]), Long.parseLong(words[7]), Long.parseLong(words[8]),
						Long.parseLong(words[9]), words[10].equals("1"), Long.parseLong(words[11]));
			case "leave" -> new Left(acquisition, Long.parseLong(words[6]), words[7].equals("1"),
					Long.parseLong(words[8]), words[9].equals("1"));
			case "wait" -> new Waited(acquisition, Long.parseLong(words[6]), Long.parseLong(words[7]),
					Long.parseLong(words[8]), words[9].equals("1"));
			case "force" -> new Forced(acquisition, Long.parseLong(words[6]), Long.parseLong(words[7]));
			case "compare" ->
				new Compared(acquisition, Long.parseLong(words[6]), Long.parseLong(words[7]), Long.parseLong(words[8]));
			default -> throw new IllegalArgumentException(line);
		};
	}

	Acquisition acquisition();

	default String lock() {
		return acquisition().lock();
	}

	/**
	 * The acquisition that an entry is about.
	 *
	 * @param lock name of the lock
	 * @param actor the holder: a thread of a worker
	 * @param token fencing token
	 * @param depth how often the actor has acquired the lock, this time included
	 * @param limit the number of actors that may hold the lock together with it, itself
	 * included
	 */
	record Acquisition(String lock, String actor, long token, int depth, int limit) {

		boolean isExclusive() {
			return this.limit == 1;
		}

		boolean isOuter() {
			return this.depth == 1;
		}

		@Override
		public String toString() {
			return this.lock + " " + this.actor + " " + this.token + " " + this.depth + " " + this.limit;
		}

	}

	/**
	 * A hold has begun, and has read the counter.
	 *
	 * @param acquisition the hold
	 * @param askedNanos before the lock was asked for
	 * @param beforeNanos before the handle was asked whether it is held
	 * @param sinceNanos after it had said yes
	 * @param promisedNanos until when the lease was promised to be valid, on the safe
	 * side
	 * @param accepted whether the fence let the hold pass
	 * @param value the value read
	 */
	record Opened(Acquisition acquisition, long askedNanos, long beforeNanos, long sinceNanos, long promisedNanos,
			boolean accepted, long value) implements Entry {

	}

	/**
	 * A hold is about to end, and has written the counter, unless it only read.
	 *
	 * @param acquisition the hold
	 * @param atNanos before the handle was asked whether it is held
	 * @param held what it said
	 * @param from the value that was read and that the written one follows; -1 if nothing
	 * was written
	 * @param accepted whether the fence let the hold pass
	 */
	record Left(Acquisition acquisition, long atNanos, boolean held, long from, boolean accepted) implements Entry {

		boolean hasWritten() {
			return this.from >= 0;
		}

	}

	/**
	 * The lease of a hold was compared with the key in the store, while it was held.
	 *
	 * @param acquisition the hold
	 * @param askedNanos before the lock was asked for
	 * @param leaseNanos the lease goes on until this moment at least, as the handle says
	 * @param keyNanos the key lives until this moment at most
	 */
	record Compared(Acquisition acquisition, long askedNanos, long leaseNanos, long keyNanos) implements Entry {

	}

	/**
	 * An attempt at a {@code fair} lock has come to own it.
	 *
	 * @param acquisition its name at the store and the token that the store gave it
	 * @param sentNanos before it was sent for the first time
	 * @param queuedNanos after it was told for the first time that it was in the queue
	 * @param ownedNanos after it was told that it owned the lock
	 * @param missed whether its JVM could not be told of a grant for some time meanwhile
	 */
	record Waited(Acquisition acquisition, long sentNanos, long queuedNanos, long ownedNanos,
			boolean missed) implements Entry {

		boolean isOfSameJvm(Waited other) {
			return jvm().equals(other.jvm());
		}

		private String jvm() {
			return this.acquisition.actor().substring(0, this.acquisition.actor().indexOf(':'));
		}

	}

	/**
	 * The lock was taken away from whoever held it.
	 *
	 * @param acquisition the lock, and who took it away
	 * @param fromNanos before that
	 * @param toNanos after that
	 */
	record Forced(Acquisition acquisition, long fromNanos, long toNanos) implements Entry {

	}

}
