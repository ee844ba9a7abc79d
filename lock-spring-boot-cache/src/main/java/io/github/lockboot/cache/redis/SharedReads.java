package io.github.lockboot.cache.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.EntryKeys;

/**
 * Reads of entries in Redis. Callers that come while a read of their entry is under way
 * share the next one, so that a result serves only those who came before its command was
 * sent. If a read fails, so do those who wait for the next one. A read of an entry whose
 * slot has another one is not shared.
 */
final class SharedReads {

	private static final int SLOTS = 256;

	private static final CompletableFuture<byte @Nullable []> OVER = CompletableFuture.completedFuture(null);

	private final AtomicReferenceArray<@Nullable Read> slots = new AtomicReferenceArray<>(SLOTS);

	private final Function<EntryKeys, CompletableFuture<byte @Nullable []>> reader;

	SharedReads(Function<EntryKeys, CompletableFuture<byte @Nullable []>> reader) {
		this.reader = reader;
	}

	/** Return the bytes of an entry, read after this call. */
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
		// composed, so that a reader that throws frees the slot, too
		return CompletableFuture.completedFuture(read.keys)
			.thenCompose(this.reader)
			.whenComplete((bytes, failure) -> ended(slot, read, failure));
	}

	private void ended(int slot, Read read, @Nullable Throwable failure) {
		CompletableFuture<byte @Nullable []> next = read.getAndSet(OVER);
		if (next == null || failure != null) {
			this.slots.set(slot, null);
			if (next != null) {
				// they have waited for as long as a command may take
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

	/** A read under way, and the result of the next one, if somebody waits for it. */
	@SuppressWarnings("serial")
	private static final class Read extends AtomicReference<@Nullable CompletableFuture<byte @Nullable []>> {

		private final EntryKeys keys;

		Read(EntryKeys keys) {
			this.keys = keys;
		}

		/** Return {@code null} if this is over, or reads another entry. */
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
