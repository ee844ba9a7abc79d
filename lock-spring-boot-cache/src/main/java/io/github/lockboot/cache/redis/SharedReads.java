package io.github.lockboot.cache.redis;

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.concurrent.StageFailure;

/**
 * Reads entries in Redis. Callers that request an entry during a read of this entry share
 * the next read, so that a result serves only callers that requested the entry before the
 * command was sent. If a read fails, the callers that wait for the next one receive the
 * same failure. Two entries with the same slot are not read together: the second read is
 * not shared.
 */
final class SharedReads {

	private static final int SLOTS = 256;

	private static final CompletableFuture<byte @Nullable []> SENT = CompletableFuture.completedFuture(null);

	private final AtomicReferenceArray<@Nullable Read> slots = new AtomicReferenceArray<>(SLOTS);

	private final Function<EntryKeys, CompletableFuture<byte @Nullable []>> reader;

	SharedReads(Function<EntryKeys, CompletableFuture<byte @Nullable []>> reader) {
		this.reader = reader;
	}

	/** Return the bytes of an entry, read after this call. */
	CompletableFuture<byte @Nullable []> read(EntryKeys keys) {
		int hash = keys.data().hashCode();
		int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
		Read last = this.slots.get(slot);
		CompletableFuture<byte @Nullable []> reply = (last != null) ? last.reply.get() : null;
		if (last == null || reply == null || reply.isDone()) {
			return send(keys, slot);
		}
		CompletableFuture<byte @Nullable []> next = last.data.equals(keys.data()) ? next(keys, slot, last, reply)
				: SENT;
		return (next != SENT) ? next : this.reader.apply(keys);
	}

	private CompletableFuture<byte @Nullable []> send(EntryKeys keys, int slot) {
		CompletableFuture<byte @Nullable []> reply = this.reader.apply(keys);
		this.slots.set(slot, new Read(keys.data(), new WeakReference<>(reply), new AtomicReference<>()));
		return reply;
	}

	/** Return the result of the read after the one in progress. */
	private CompletableFuture<byte @Nullable []> next(EntryKeys keys, int slot, Read last,
			CompletableFuture<byte @Nullable []> reply) {
		CompletableFuture<byte @Nullable []> next = new CompletableFuture<>();
		CompletableFuture<byte @Nullable []> present = last.next.compareAndExchange(null, next);
		if (present != null) {
			return present;
		}
		reply.thenCompose((bytes) -> {
			last.next.set(SENT);
			return send(keys, slot);
		})
			// the callers have waited as long as a command may take
			.whenComplete((bytes, failure) -> StageFailure.pass(bytes, failure, next));
		return next;
	}

	/**
	 * The last read in a slot.
	 *
	 * @param reply the reply, which the command holds until it arrives: the slot must not
	 * keep the reply longer
	 * @param next the result of the next read if callers wait for it, {@link #SENT} once
	 * the read is sent
	 */
	private record Read(String data, WeakReference<CompletableFuture<byte @Nullable []>> reply,
			AtomicReference<@Nullable CompletableFuture<byte @Nullable []>> next) {

	}

}
