package io.github.lockboot.cache.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;

/**
 * Reads entries in Redis. Callers that request an entry during a read of it share the
 * next read, so that a result serves only callers that requested it before its command
 * was sent. If a read fails, the callers that wait for the next one receive the same
 * failure. Two entries with the same slot are not read together: the second read is not
 * shared.
 */
final class SharedReads {

	private static final int SLOTS = 256;

	private static final CompletableFuture<byte @Nullable []> OVER = CompletableFuture.completedFuture(null);

	private final AtomicReferenceArray<@Nullable Read> slots = new AtomicReferenceArray<>(SLOTS);

	private final Function<EntryKeys, CompletableFuture<byte @Nullable []>> reader;

	SharedReads(Function<EntryKeys, CompletableFuture<byte @Nullable []>> reader) {
		this.reader = reader;
	}

	/** Returns the bytes of an entry, read after this call. */
	CompletableFuture<byte @Nullable []> read(EntryKeys keys) {
		int hash = keys.data().hashCode();
		int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
		Read present = this.slots.get(slot);
		if (present == null) {
			Read read = new Read(keys);
			if (this.slots.compareAndSet(slot, null, read)) {
				return send(slot, read);
			}
			present = this.slots.get(slot);
		}
		CompletableFuture<byte @Nullable []> next = (present != null) ? present.next(keys) : null;
		return (next != null) ? next : this.reader.apply(keys);
	}

	private CompletableFuture<byte @Nullable []> send(int slot, Read read) {
		CompletableFuture<byte @Nullable []> reply;
		try {
			reply = this.reader.apply(read.keys);
		}
		catch (RuntimeException | Error ex) {
			reply = CompletableFuture.failedFuture(ex);
		}
		// not a stage of the result: the caller need not wait until the slot is free
		reply.whenComplete((bytes, failure) -> ended(slot, read, failure));
		return reply;
	}

	private void ended(int slot, Read read, @Nullable Throwable failure) {
		CompletableFuture<byte @Nullable []> next = read.getAndSet(OVER);
		if (next == null || failure != null) {
			this.slots.set(slot, null);
			if (next != null) {
				// they have waited as long as a command may take
				next.completeExceptionally(failure);
			}
			return;
		}
		Read following = new Read(read.keys);
		this.slots.set(slot, following);
		send(slot, following).whenComplete((bytes, unread) -> {
			if (unread != null) {
				next.completeExceptionally(unread);
			}
			else {
				next.complete(bytes);
			}
		});
	}

	/** A read in progress, and the result of the next one if a caller waits for it. */
	@SuppressWarnings("serial")
	private static final class Read extends AtomicReference<@Nullable CompletableFuture<byte @Nullable []>> {

		private final EntryKeys keys;

		Read(EntryKeys keys) {
			this.keys = keys;
		}

		/** Returns {@code null} if this read has ended, or reads another entry. */
		@Nullable CompletableFuture<byte @Nullable []> next(EntryKeys keys) {
			if (!this.keys.data().equals(keys.data())) {
				return null;
			}
			CompletableFuture<byte @Nullable []> next = updateAndGet(
					(waiting) -> (waiting != null) ? waiting : new CompletableFuture<>());
			return (next != OVER) ? next : null;
		}

	}

}
