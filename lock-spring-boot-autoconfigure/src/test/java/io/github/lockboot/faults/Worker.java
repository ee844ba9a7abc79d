package io.github.lockboot.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.lettuce.core.RedisException;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.redis.ClockedLocks;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.redlock.ClockedRedlock;

/**
 * A JVM of a run, with a few clerks. It says its {@code instance}, the name by which the
 * store knows it. Told to {@code linger}, the next clerk that works does so for longer
 * than a lease, and says that it {@code lingers}; told to make a {@code burst} it tries
 * for many locks for a while. Told to {@code stop} it says how many {@code timers} are
 * left when the clerks have gone home; told to {@code close}, which threads are
 * {@code left}.
 */
final class Worker {

	static final int CLERKS = 3;

	private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	/**
	 * Threads of the platform and of tools that stay for a while or for ever: those named
	 * "parallel" are Reactor's own, of which Lettuce makes use to find a master.
	 */
	private static final Predicate<String> FOREIGN = (name) -> name.startsWith("ForkJoinPool")
			|| name.startsWith("CompletableFutureDelayScheduler") || name.startsWith("awaitility")
			|| name.startsWith("parallel-") || name.startsWith("process reaper")
			|| name.startsWith("globalEventExecutor");

	private final Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();

	private final CountingClock clock = new CountingClock();

	private final AtomicBoolean lingerNext = new AtomicBoolean();

	private final HoldsOfThreads holds = new HoldsOfThreads();

	private final StoreWatch watch = new StoreWatch(Flaw.chosen());

	private final LockTemplate locks;

	private final List<Clerk> clerks;

	private Worker(Address address, int ledgerPort, String name, long seed) {
		this.locks = Awaitility.await()
			.atMost(PATIENCE)
			.ignoreExceptionsInstanceOf(RedisException.class) // no time on a loaded
																// machine
			.until(() -> connect(address), Objects::nonNull);
		this.clerks = IntStream.range(0, CLERKS)
			.mapToObj((index) -> clerk(address, name + "/" + index, ledgerPort, new Random(seed + index)))
			.toList();
	}

	/**
	 * Work until told to end.
	 * @param args address of the locks' Redis, port of the ledger, name, seed
	 * @throws IOException never, in truth
	 */
	public static void main(String[] args) throws IOException {
		Worker worker = new Worker(Address.parse(args[0]), Integer.parseInt(args[1]), args[2], Long.parseLong(args[3]));
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		worker.start(args[2]);
		for (String line = in.readLine(); line != null; line = in.readLine()) {
			switch (line) {
				case "linger" -> worker.lingerNext.set(true);
				case "burst" -> worker.burst();
				case "dump" -> worker.dump();
				case "stop" -> worker.stop();
				default -> {
					worker.close();
					return;
				}
			}
		}
	}

	private LockTemplate connect(Address address) {
		LettuceConnectionFactory application = address.connectionFactory();
		RedisLockSettings settings = RedisLockSettings.defaults()
			.withCommandTimeout(FaultRun.COMMAND_TIMEOUT)
			.withMinReplicasAcknowledged((address.kind() == Address.Kind.REPLICATED) ? 1 : 0)
			.withLockDefaults(LockDefaults.defaults().withLeaseTime(FaultRun.LEASE));
		return (address.kind() == Address.Kind.REDLOCK)
				? ClockedRedlock.of(application, address.nodes(), settings, this.clock, List.of(this.holds))
				: ClockedLocks.of(application, settings, this.clock, List.of(this.holds), this.watch::before);
	}

	private Clerk clerk(Address address, String name, int ledgerPort, Random random) {
		Ledger ledger = new Ledger("127.0.0.1", ledgerPort);
		@Nullable LockOperations store = (address.kind() != Address.Kind.REDLOCK) ? this.locks : null;
		return new Clerk(name, this.locks, this.holds,
				new Shift(store, this.watch, ledger, name, random, this.lingerNext), random);
	}

	private void start(String name) {
		LockRequest own = LockRequest.of("who-is-" + name).waitTime(PATIENCE);
		String instance = Awaitility.await()
			.atMost(PATIENCE)
			.ignoreExceptionsInstanceOf(LockException.class) // no time on a loaded
																// machine
			.until(() -> instance(own), Objects::nonNull);
		System.out.println("instance " + instance + " at " + System.nanoTime());
		this.clerks.forEach(Clerk::start);
	}

	/** The owner of a lock that this JVM holds, without the number of the attempt. */
	private @Nullable String instance(LockRequest own) {
		try (LockHandle hold = this.locks.acquire(own)) {
			String owner = this.locks.inspect(hold.name()).owner();
			return (owner != null) ? owner.substring(0, owner.indexOf(':')) : null;
		}
	}

	/**
	 * A few hundred each second, whose leases would be tried to be given back for long.
	 */
	private void burst() {
		LockRequest request = LockRequest.of("burst")
			.waitTime(Duration.ofMillis(100))
			.leaseTime(FaultRun.LEASE.multipliedBy(10));
		long end = System.nanoTime() + FaultRun.OUTAGE.toNanos();
		Thread thread = new Thread(() -> {
			while (System.nanoTime() - end < 0) {
				String name = LockNames.of("orders", "burst" + ThreadLocalRandom.current().nextLong());
				this.locks.acquireAsync(request.name(name)).thenAccept(LockHandle::closeAsync);
				LockSupport.parkNanos(BURST_NANOS);
			}
		}, "burst");
		thread.start();
	}

	private void stop() {
		this.clerks.forEach(Clerk::stop);
		List<Thread> threads = this.clerks.stream().map(Clerk::thread).toList();
		if (!comesTrue(() -> threads.stream().noneMatch(Thread::isAlive))) {
			dump();
		}
		comesTrue(() -> this.clock.timers() == 0);
		System.out.println("timers " + this.clock.timers());
	}

	private void close() {
		this.locks.close();
		comesTrue(() -> threadsLeft().isEmpty());
		System.out.println("left " + threadsLeft());
	}

	private Set<String> threadsLeft() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !this.threadsBefore.contains(thread))
			.map(Thread::getName)
			.filter(FOREIGN.negate())
			.collect(Collectors.toSet());
	}

	private void dump() {
		Thread.getAllStackTraces().forEach((thread, trace) -> {
			System.out.println(thread);
			List.of(trace).forEach((element) -> System.out.println("    " + element));
		});
		System.out.println("that is all");
	}

	private static boolean comesTrue(Callable<Boolean> condition) {
		try {
			Awaitility.await().pollDelay(Duration.ZERO).atMost(PATIENCE).until(condition);
			return true;
		}
		catch (ConditionTimeoutException ex) {
			return false;
		}
	}

}
