package io.github.lockboot.concurrent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class OrderedCommandsTests {

	private final SystemClock clock = new SystemClock("test");

	private final Queue<Runnable> next = new ArrayDeque<>();

	private final OrderedCommands<Runnable> commands = new OrderedCommands<>(this.clock, this.next) {

		@Override
		protected void carryOut(Runnable command) {
			command.run();
		}

	};

	private final List<String> done = new ArrayList<>();

	private void decide(String name) {
		decide(() -> this.done.add(name));
	}

	private void decide(Runnable command) {
		this.commands.decide(() -> this.next.add(command));
	}

	@Test
	void aCommandIsCarriedOutBeforeTheCallReturns() {
		decide("a");
		assertThat(this.done).containsExactly("a");
	}

	@Test
	void theCommandThatACommandDecidesFollowsIt() {
		decide(() -> {
			decide("second");
			this.done.add("first");
		});
		assertThat(this.done).containsExactly("first", "second");
	}

	@Test
	void aThreadDoesNotWaitForTheCommandsOfAnother() {
		decide(() -> {
			CompletableFuture.runAsync(() -> decide("second"), this::start).join();
			this.done.add("first");
		});
		assertThat(this.done).containsExactly("first", "second");
	}

	@Test
	void aCommandThatFailsKeepsNoOther() {
		assertThatIllegalStateException().isThrownBy(() -> decide(() -> {
			decide("second");
			decide("third");
			throw new IllegalStateException();
		}));
		decide("fourth");
		assertThat(this.done).containsExactly("second", "third", "fourth");
	}

	@Test
	void commandsOfManyThreadsAreCarriedOutInTheOrderInWhichTheyWereDecided() {
		List<Integer> decided = new ArrayList<>();
		List<Integer> done = new ArrayList<>();
		IntStream.range(0, 8).mapToObj((thread) -> CompletableFuture.runAsync(() -> {
			for (int i = 0; i < 2_000; i++) {
				int number = thread * 2_000 + i;
				this.commands.decide(() -> {
					decided.add(number);
					this.next.add(() -> done.add(number));
				});
			}
		}, this::start)).toList().forEach(CompletableFuture::join);
		this.commands.decide(() -> {
		});
		assertThat(done).isEqualTo(decided);
	}

	private void start(Runnable task) {
		new Thread(task).start();
	}

}
