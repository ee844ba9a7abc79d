package io.github.lockboot.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class OrderedChangesTests {

	private final SystemClock clock = new SystemClock("test");

	private final OrderedChanges changes = new OrderedChanges(this.clock);

	private final List<String> effects = new ArrayList<>();

	private boolean makes(String name) {
		return this.changes.make(() -> () -> this.effects.add(name));
	}

	@Test
	void anEffectRunsBeforeTheCallReturns() {
		assertThat(makes("a")).isTrue();
		assertThat(this.effects).containsExactly("a");
	}

	@Test
	void aChangeThatIsNotPossibleHasNoEffect() {
		assertThat(this.changes.make(() -> null)).isFalse();
		assertThat(this.changes.make(() -> Effect.NONE)).isTrue();
	}

	@Test
	void theEffectOfAChangeByAnEffectFollowsIt() {
		this.changes.make(() -> () -> {
			makes("second");
			this.effects.add("first");
		});
		assertThat(this.effects).containsExactly("first", "second");
	}

	@Test
	void aThreadDoesNotWaitForTheEffectsOfAnother() {
		this.changes.make(() -> () -> {
			CompletableFuture.runAsync(() -> makes("second"), this::start).join();
			this.effects.add("first");
		});
		assertThat(this.effects).containsExactly("first", "second");
	}

	@Test
	void anEffectThatFailsKeepsNoOther() {
		assertThatIllegalStateException().isThrownBy(() -> this.changes.make(() -> () -> {
			makes("second");
			makes("third");
			throw new IllegalStateException();
		}));
		makes("fourth");
		assertThat(this.effects).containsExactly("second", "third", "fourth");
	}

	@Test
	void effectsOfManyThreadsRunInTheOrderOfTheirChanges() {
		List<Integer> decided = new ArrayList<>();
		List<Integer> done = new ArrayList<>();
		IntStream.range(0, 8).mapToObj((thread) -> CompletableFuture.runAsync(() -> {
			for (int i = 0; i < 2_000; i++) {
				int number = thread * 2_000 + i;
				this.changes.make(() -> {
					decided.add(number);
					return () -> done.add(number);
				});
			}
		}, this::start)).toList().forEach(CompletableFuture::join);
		this.changes.make(() -> Effect.NONE);
		assertThat(done).isEqualTo(decided);
	}

	private void start(Runnable task) {
		new Thread(task).start();
	}

}
