package io.github.lockboot.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.github.lockboot.jdbc.HeldRows.Part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * When a list of locks ends.
 */
class HeldRowsTests {

	private final CompletableFuture<List<String>> reply = new CompletableFuture<>();

	private final List<CompletableFuture<Part>> parts = new ArrayList<>();

	private final HeldRows rows = new HeldRows("*", 2, (work) -> {
		this.parts.add(new CompletableFuture<>());
		return this.parts.get(this.parts.size() - 1);
	}, this.reply);

	@Test
	void theRowsAreReadInPartsUntilEnoughAreHeld() {
		this.rows.readAfter("");
		part(List.of("a"), "b");
		assertThat(this.reply).isNotDone();
		part(List.of("c", "d"), "e");
		assertThat(this.reply).isCompletedWithValue(List.of("a", "c"));
	}

	@Test
	void theLastRowsEndTheList() {
		this.rows.readAfter("");
		part(List.of("a"), null);
		assertThat(this.reply).isCompletedWithValue(List.of("a"));
	}

	@Test
	void aListThatTakesTooLongReadsNoFurtherRows() {
		this.rows.readAfter("");
		this.reply.cancel(false);
		part(List.of(), "a");
		assertThat(this.parts).hasSize(1);
	}

	@Test
	void notMoreThanAMillionRowsAreRead() {
		this.rows.readAfter("");
		for (int rows = 0; rows < HeldRows.MOST_ROWS; rows += LockTable.MOST_AT_ONCE) {
			assertThat(this.reply).isNotDone();
			part(List.of(), "a");
		}
		assertThatExceptionOfType(CompletionException.class).isThrownBy(this.reply::join)
			.withCauseInstanceOf(UnsupportedOperationException.class)
			.withMessageContainingAll("more than 1000000 rows", "Look at one lock by its name");
	}

	private void part(List<String> names, @Nullable Object last) {
		this.parts.get(this.parts.size() - 1).complete(new Part(names, last));
	}

}
