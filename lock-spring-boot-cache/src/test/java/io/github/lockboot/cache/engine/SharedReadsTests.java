package io.github.lockboot.cache.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.github.lockboot.cache.engine.SingleFlights.SharedReads;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class SharedReadsTests {

	private static final EntryKeys PEN = keys("pen");

	private final List<CompletableFuture<byte @Nullable []>> sent = new ArrayList<>();

	private final SharedReads reads = new SharedReads((keys) -> {
		CompletableFuture<byte @Nullable []> reply = new CompletableFuture<>();
		this.sent.add(reply);
		return reply;
	});

	@Test
	void callersDuringAReadShareTheNextOne() {
		CompletableFuture<byte @Nullable []> first = this.reads.read(PEN);
		CompletableFuture<byte @Nullable []> second = this.reads.read(PEN);
		CompletableFuture<byte @Nullable []> third = this.reads.read(PEN);
		assertThat(this.sent).hasSize(1);
		this.sent.get(0).complete(new byte[] { 1 });
		assertThat(first).isCompletedWithValueMatching((bytes) -> bytes != null && bytes[0] == 1);
		assertThat(this.sent).hasSize(2);
		this.sent.get(1).complete(new byte[] { 2 });
		assertThat(second).isCompletedWithValueMatching((bytes) -> bytes != null && bytes[0] == 2);
		assertThat(third).isCompletedWithValueMatching((bytes) -> bytes != null && bytes[0] == 2);
	}

	@Test
	void callerAfterTheReplyReadsAtOnce() {
		this.reads.read(PEN);
		this.sent.get(0).complete(null);
		this.reads.read(PEN);
		assertThat(this.sent).hasSize(2);
	}

	@Test
	void eachReadServesTheCallersDuringThePreviousOne() {
		this.reads.read(PEN);
		this.reads.read(PEN);
		this.sent.get(0).complete(null);
		CompletableFuture<byte @Nullable []> last = this.reads.read(PEN);
		this.sent.get(1).complete(new byte[] { 2 });
		assertThat(last).isNotDone();
		this.sent.get(2).complete(new byte[] { 3 });
		assertThat(last).isCompletedWithValueMatching((bytes) -> bytes != null && bytes[0] == 3);
	}

	@Test
	void failureOfAReadIsThrownToTheCallersWhoShareIt() {
		CompletableFuture<byte @Nullable []> first = this.reads.read(PEN);
		CompletableFuture<byte @Nullable []> second = this.reads.read(PEN);
		this.sent.get(0).completeExceptionally(new IllegalStateException("away"));
		assertThat(first).isCompletedExceptionally();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(second::join)
			.withCauseInstanceOf(IllegalStateException.class)
			.withMessageContaining("away");
		this.reads.read(PEN);
		assertThat(this.sent).hasSize(2);
	}

	@Test
	void readThatThrowsKeepsNoLaterCallerWaiting() {
		SharedReads closed = new SharedReads((keys) -> {
			throw new IllegalStateException("closed");
		});
		assertThatIllegalStateException().isThrownBy(() -> closed.read(PEN));
		assertThatIllegalStateException().isThrownBy(() -> closed.read(PEN));
	}

	private static EntryKeys keys(String name) {
		return new EntryKeys(name, 0);
	}

}
