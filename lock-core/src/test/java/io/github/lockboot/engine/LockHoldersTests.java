package io.github.lockboot.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockState;
import io.github.lockboot.LockState.Holder;
import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.engine.support.LockHolders;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What JVMs tell each other about the holders of locks.
 */
class LockHoldersTests {

	private static final Instant SINCE = Instant.ofEpochMilli(1_764_172_801_234L);

	private final SteppedClock clock = new SteppedClock() {

		@Override
		public Workers workers(String name, int most) {
			return new Workers() {

				@Override
				public void execute(Runnable task) {
					task.run();
				}

				@Override
				public void close() {
					// has no threads
				}

			};
		}

	};

	private final FakeStore store = new FakeStore();

	private final Texts texts = new Texts();

	private final List<LockActivity.Held> holds = new ArrayList<>();

	private long attempts;

	private boolean attempting;

	@BeforeEach
	void keepTexts() {
		this.store.setInstances(this.texts);
		heldBy("jvm:1");
	}

	@Test
	void anAttemptTellsOthersWhoTheJvmIs() {
		holders("shop");
		attempt();
		assertThat(this.texts.of("jvm")).matches(".+\t" + ProcessHandle.current().pid() + "\tshop");
	}

	@Test
	void anApplicationThatHidesItsHoldersTellsAndShowsNothing() {
		LockHolders holders = holders(null);
		attempt();
		assertThat(this.texts.writes).isZero();
		assertThat(inspected(holders)).isEmpty();
		assertThat(holders.ofBusy("a")).isCompletedWithValue(List.of());
	}

	@Test
	void anotherJvmReadsWhichThreadHoldsALockAndWhy() {
		hold("jvm:1", SINCE, "http\n1", "Orders.pay");
		holders("shop");
		attempt();
		heldBy("other:1");
		assertThat(inspected(holders(""))).singleElement().satisfies((holder) -> {
			assertThat(holder.application()).isEqualTo("shop");
			assertThat(holder.process()).isEqualTo(ProcessHandle.current().pid());
			assertThat(holder.thread()).isEqualTo("http 1");
			assertThat(holder.reason()).isEqualTo("Orders.pay");
			assertThat(holder.since()).isEqualTo(SINCE);
		});
	}

	@Test
	void aHoldThatHasJustBegunIsNotWritten() {
		hold("jvm:1", Instant.now().plusSeconds(60), "main", "Orders.pay");
		holders("shop");
		attempt();
		assertThat(this.texts.of("jvm")).doesNotContain("Orders.pay");
	}

	@Test
	void othersKnowWhyALockIsHeldWithinThreeSeconds() {
		this.attempting = true;
		LockHolders holders = holders("shop");
		attempt();
		heldBy("other:1");
		hold("jvm:1", Instant.now().minusMillis(501), "main", "Orders.pay");
		assertThat(inspected(holders)).extracting(Holder::reason).containsOnlyNulls();
		this.clock.advance(Duration.ofMillis(2499));
		assertThat(inspected(holders)).extracting(Holder::reason).containsExactly("Orders.pay");
	}

	@Test
	void theTextOfAJvmIsReadOnceASecond() {
		LockHolders holders = holders("shop");
		heldBy("other:1");
		inspected(holders);
		heldBy("other:2");
		inspected(holders);
		assertThat(this.texts.reads).isOne();
		this.clock.advance(Duration.ofMillis(1001));
		inspected(holders);
		assertThat(this.texts.reads).isEqualTo(2);
	}

	@Test
	void callbacksThatHangDoNotKeepTheJvmFromTellingWhoItIs() {
		CompletableFuture<Void> end = new CompletableFuture<>();
		SteppedClock time = new SteppedClock();
		try (LockTemplate locks = new LockTemplate(this.store, time, LockDefaults.defaults().withApplication("shop"),
				List.of())) {
			for (int i = 0; i < 8; i++) {
				locks.acquire("a" + i).onLost(end::join);
			}
			LockLifecycle.of(locks).takeAllAway("the test takes them away");
			time.advance(Duration.ofSeconds(1));
			Awaitility.await().until(() -> this.texts.of("jvm").contains("\tshop"));
		}
		finally {
			end.complete(null);
		}
	}

	@Test
	void theOwnHoldNeedsNoText() {
		hold("jvm:1", SINCE, "main", null);
		assertThat(inspected(holders("shop"))).singleElement().satisfies((holder) -> {
			assertThat(holder.thread()).isEqualTo("main");
			assertThat(holder.reason()).isNull();
			assertThat(holder.since()).isEqualTo(SINCE);
		});
		assertThat(this.texts.reads).isZero();
	}

	@Test
	void aTextIsWrittenAgainIfItChangesAndBeforeItExpires() {
		this.attempting = true;
		holders("shop");
		attempt();
		this.clock.advance(Duration.ofSeconds(29));
		assertThat(this.texts.writes).isOne();
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(this.texts.writes).isEqualTo(2);
		hold("jvm:1", SINCE, "main", null);
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(this.texts.writes).isEqualTo(3);
	}

	@Test
	void aTextLivesLongerThanTheLongestLease() {
		holders("shop");
		attempt();
		assertThat(this.texts.lifeMillis).isEqualTo(60_000);
		this.holds.add(new LockActivity.Held("a", "jvm:1", 1, "main", null, SINCE, Duration.ofMinutes(10),
				Duration.ZERO, Duration.ZERO, 0));
		attempt();
		assertThat(this.texts.lifeMillis).isEqualTo(1_200_000);
	}

	@Test
	void aWriteThatFailsIsRepeated() {
		this.attempting = true;
		this.texts.failing = true;
		holders("shop");
		attempt();
		this.texts.failing = false;
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(this.texts.of("jvm")).contains("shop");
	}

	@Test
	void aJvmWithoutAttemptsDoesNotLookAtItsHolds() {
		holders("shop");
		attempt();
		hold("jvm:1", SINCE, "main", null);
		this.clock.advance(Duration.ofMinutes(10));
		assertThat(this.texts.writes).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\n", "\t\t", "x", "\tx\t\nother:1\tx" })
	void aTextThatSaysNothingLeavesTheHolderUnknown(String text) {
		heldBy("other:1");
		this.texts.write("other", text, 1);
		assertThat(inspected(holders("shop"))).singleElement()
			.satisfies((holder) -> assertThat(holder.process()).isNull());
	}

	@Test
	void aFailingReadLeavesTheHolderUnknown() {
		heldBy("other:1");
		this.texts.failing = true;
		assertThat(inspected(holders("shop"))).containsExactly(Holder.unknown("other:1"));
	}

	@Test
	void callersThatWaitedInVainAtTheSameTimeShareOneLook() {
		List<CompletableFuture<LockState>> looks = new ArrayList<>();
		this.store.onInspect((lock) -> {
			looks.add(new CompletableFuture<>());
			return looks.get(0);
		});
		LockHolders holders = holders("shop");
		CompletableFuture<List<Holder>> first = holders.ofBusy("a");
		CompletableFuture<List<Holder>> second = holders.ofBusy("a");
		assertThat(looks).hasSize(1);
		looks.get(0).complete(new LockState("a", "jvm:1", null, 0, 1, 0));
		assertThat(first.join()).hasSize(1).isEqualTo(second.join());
	}

	@Test
	void aCallerThatWaitedInVainDoesNotWaitLongForTheHolder() {
		this.store.onInspect((lock) -> new CompletableFuture<>());
		CompletableFuture<List<Holder>> heldBy = holders("shop").ofBusy("a");
		this.clock.advance(Duration.ofMillis(250));
		assertThat(heldBy).isCompletedWithValue(List.of());
	}

	private LockHolders holders(@Nullable String application) {
		return new LockHolders(this.store, this.clock, LockDefaults.defaults().withApplication(application),
				(attempt) -> new LockActivity(this.holds, List.of(), List.of(), null), () -> this.attempts,
				() -> this.attempting);
	}

	private void attempt() {
		this.attempts++;
		this.clock.advance(Duration.ofSeconds(1));
	}

	private void heldBy(String owner) {
		this.store.onInspect((lock) -> CompletableFuture.completedStage(new LockState(lock, owner, null, 0, 1, 0)));
	}

	private void hold(String owner, Instant since, String thread, @Nullable String reason) {
		this.holds.add(new LockActivity.Held("a", owner, 1, thread, reason, since, Duration.ZERO, Duration.ZERO,
				Duration.ZERO, 0));
	}

	private static List<Holder> inspected(LockHolders holders) {
		return holders.inspect("a").toCompletableFuture().join().heldBy();
	}

	/** Texts in memory. */
	private static final class Texts implements LockAdministration.Instances {

		private final Map<String, String> texts = new ConcurrentHashMap<>();

		private int writes;

		private int reads;

		private long lifeMillis;

		private boolean failing;

		/**
		 * Return the text about a JVM; other JVMs tell of themselves what this one does.
		 */
		String of(String instance) {
			String own = this.texts.getOrDefault("jvm", "");
			return this.texts.getOrDefault(instance, own.replace("jvm:", "other:"));
		}

		@Override
		public CompletionStage<Void> write(String instance, String text, long lifeMillis) {
			if (this.failing) {
				throw new IllegalStateException("down");
			}
			this.writes++;
			this.lifeMillis = lifeMillis;
			this.texts.put(instance, text);
			return CompletableFuture.completedStage(null);
		}

		@Override
		public CompletionStage<String> read(String instance) {
			this.reads++;
			return this.failing ? FakeStore.down() : CompletableFuture.completedStage(of(instance));
		}

	}

}
