package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.StoreTraits;
import io.github.lockboot.fixture.NewThreadExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of every store with a queue: waiters of all instances are served in the
 * order of their arrival. Each waiter starts when the previous one is in the queue, so
 * that their numbers are that order.
 */
@Timeout(90)
public abstract class ArrivalOrderContract {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final LockRequest fair = LockRequest.of("order:" + UUID.randomUUID()).waitTime(LONG).fair(true);

	private final MonotonicClock clock = new SystemClock("lock-timer");

	private final List<LockTemplate> instances = new ArrayList<>();

	private @Nullable StoreTraits traits;

	/** The numbers of the waiters in the order of service. */
	private final List<Integer> served = Collections.synchronizedList(new ArrayList<>());

	/**
	 * Return a store for one instance of an application.
	 * @return a store that shares its locks with the others of the same test
	 */
	protected abstract LockStore newStore(MonotonicClock clock);

	@BeforeEach
	void openThreeInstances() {
		for (int i = 0; i < 3; i++) {
			LockStore store = newStore(this.clock);
			this.traits = store.traits();
			this.instances.add(new LockTemplate(store, this.clock, LockDefaults.defaults(), List.of()));
		}
	}

	@AfterEach
	void closeAll() {
		this.instances.forEach(LockTemplate::close);
	}

	@Test
	void fairLockServesAllInstancesInTheOrderOfArrival() {
		LockHandle held = instance(0).acquire(this.fair);
		List<CompletableFuture<Void>> waiting = arrive(Collections.nCopies(9, this.fair));
		held.close();
		end(waiting);
		assertThat(this.served).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
	}

	@Test
	void fairLockServesThreadsInTheOrderOfArrival() {
		LockHandle held = instance(0).acquire(this.fair);
		List<CompletableFuture<Void>> waiting = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			int number = i;
			waiting.add(CompletableFuture.runAsync(() -> lockAndServe(number), NewThreadExecutor::run));
			awaitQueued(i + 1);
		}
		held.close();
		end(waiting);
		assertThat(this.served).containsExactly(0, 1, 2, 3, 4, 5);
	}

	@Test
	void readersAndWritersAreServedInTheOrderOfArrival() {
		LockRequest shared = this.fair.shared();
		LockHandle held = instance(0).acquire(shared);
		List<CompletableFuture<Void>> waiting = arrive(List.of(this.fair, shared, shared, this.fair, shared));
		held.close();
		end(waiting);
		assertThat(this.served).startsWith(0).endsWith(3, 4).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
	}

	@Test
	void readersAtTheHeadOfTheQueueAreAdmittedTogether() {
		LockRequest shared = this.fair.shared();
		LockHandle held = instance(0).acquire(this.fair);
		List<CompletableFuture<LockHandle>> readers = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			readers.add(instance(i).acquireAsync(shared).toCompletableFuture());
			awaitQueued(i + 1);
		}
		CompletableFuture<LockHandle> writer = instance(0).acquireAsync(this.fair).toCompletableFuture();
		awaitQueued(4);
		held.close();
		List<LockHandle> reading = readers.stream()
			.map((reader) -> reader.orTimeout(60, TimeUnit.SECONDS).join())
			.toList();
		assertThat(reading).allMatch(LockHandle::isHeld);
		assertThat(writer).isNotDone();
		reading.forEach(LockHandle::close);
		writer.orTimeout(60, TimeUnit.SECONDS).join().close();
	}

	@Test
	void permitsAreGrantedInTheOrderOfArrival() {
		Assumptions.assumeTrue(Objects.requireNonNull(this.traits).kinds().contains(StoreTraits.Kind.PERMITS));
		LockRequest permit = this.fair.fair(false).permits(2);
		LockHandle kept = instance(0).acquire(permit);
		LockHandle held = instance(1).acquire(permit);
		List<CompletableFuture<Void>> waiting = arrive(Collections.nCopies(6, permit));
		held.close();
		end(waiting);
		kept.close();
		assertThat(this.served).containsExactly(0, 1, 2, 3, 4, 5);
	}

	@Test
	void severalLocksDoNotOvertakeAWaiterForOneOfThem() {
		String other = this.fair.name() + ":other";
		LockHandle held = instance(0).acquire(this.fair);
		List<CompletableFuture<Void>> waiting = arrive(
				List.of(this.fair, this.fair.names(List.of(other, this.fair.name())), this.fair));
		held.close();
		end(waiting);
		assertThat(this.served).containsExactly(0, 1, 2);
	}

	/** Each one runs in another instance than the previous one. */
	private List<CompletableFuture<Void>> arrive(List<LockRequest> requests) {
		List<CompletableFuture<Void>> waiting = new ArrayList<>();
		for (int i = 0; i < requests.size(); i++) {
			int number = i;
			waiting.add(instance(i).acquireAsync(requests.get(i)).thenAccept((lock) -> {
				this.served.add(number);
				lock.close();
			}).toCompletableFuture());
			awaitQueued(i + 1);
		}
		return waiting;
	}

	private void lockAndServe(int number) {
		Lock lock = instance(number).asLock(this.fair);
		lock.lock();
		try {
			this.served.add(number);
		}
		finally {
			lock.unlock();
		}
	}

	private void awaitQueued(long count) {
		Awaitility.await()
			.atMost(LONG)
			.pollInterval(Duration.ofMillis(5))
			.until(() -> instance(0).inspect(this.fair.name()).waiting() == count);
	}

	private LockTemplate instance(int number) {
		return this.instances.get(number % this.instances.size());
	}

	private static void end(List<CompletableFuture<Void>> waiting) {
		CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)).orTimeout(60, TimeUnit.SECONDS).join();
	}

}
