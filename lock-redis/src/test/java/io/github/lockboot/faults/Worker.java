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
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.redis.ClockedLocks;
import io.github.lockboot.redis.RedisLockSettings;

/**
 * A JVM of a run, with a few threads. At the start it prints its {@code instance} id. It
 * reads commands from standard input: {@code hold-long} lets the next thread that
 * acquires a contended lock hold it for longer than a lease, and prints
 * {@code long-hold}; {@code burst} requests many locks for the time of an outage;
 * {@code stop} ends the threads and prints the number of {@code timers} that are left;
 * {@code close} closes the connections and prints the {@code threads} that are left.
 */
final class Worker {

	static final int THREADS = 3;

	/** System property that sets how a worker locks in a database. */
	static final String STRATEGY = "lockboot.faults.strategy";

	private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

	private static final Duration PATIENCE = Duration.ofSeconds(80);

	/**
	 * Threads of the platform, of libraries and of drivers, which may stay: Lettuce uses
	 * Reactor's threads named "parallel" to find a master.
	 */
	private static final Predicate<String> UNRELATED = (name) -> name.startsWith("ForkJoinPool")
			|| name.startsWith("CompletableFutureDelayScheduler") || name.startsWith("awaitility")
			|| name.startsWith("parallel-") || name.startsWith("process reaper")
			|| name.startsWith("globalEventExecutor") || name.startsWith("Cleaner-");

	private final Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();

	private final AtomicBoolean longHoldNext = new AtomicBoolean();

	private final LastHandles holds = new LastHandles();

	private final LockTemplate locks;

	/** The clock of the locks, and not that of a connection that failed. */
	private CountingClock clock = new CountingClock();

	/** Timers that run all the time. */
	private final int timersBefore;

	private final List<WorkerThread> workerThreads;

	private Worker(Address address, int recorderPort, String name, long seed) {
		this.locks = Awaitility.await()
			.atMost(PATIENCE)
			// the machine may be busy
			.ignoreExceptionsMatching((ex) -> ex instanceof RedisException || ex instanceof LockUnavailableException)
			.until(() -> connect(address), Objects::nonNull);
		this.timersBefore = this.clock.timers();
		this.workerThreads = IntStream.range(0, THREADS)
			.mapToObj((index) -> workerThread(address, name + "/" + index, recorderPort, new Random(seed + index)))
			.toList();
	}

	/**
	 * Run until the command to close.
	 * @param args address of the locks' Redis, port of the recorder, name, seed
	 * @throws IOException if standard input can't be read
	 */
	public static void main(String[] args) throws IOException {
		Worker worker = new Worker(Address.parse(args[0]), Integer.parseInt(args[1]), args[2], Long.parseLong(args[3]));
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		worker.start(args[2]);
		for (String line = in.readLine(); line != null; line = in.readLine()) {
			switch (line) {
				case "hold-long" -> worker.longHoldNext.set(true);
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
		this.clock.close();
		this.clock = new CountingClock();
		LockDefaults defaults = LockDefaults.defaults().withLeaseTime(FaultRun.LEASE);
		WorkerStore store = WorkerStore.of(address.kind());
		if (store != null) {
			return store.connect(address, defaults, this.clock, List.of(this.holds));
		}
		LettuceConnectionFactory application = address.connectionFactory();
		RedisLockSettings settings = RedisLockSettings.defaults()
			.withCommandTimeout(FaultRun.COMMAND_TIMEOUT)
			.withLockDefaults(defaults);
		return ClockedLocks.of(application, settings, this.clock, List.of(this.holds));
	}

	private WorkerThread workerThread(Address address, String name, int recorderPort, Random random) {
		HistoryRecorder recorder = new HistoryRecorder("127.0.0.1", recorderPort);
		boolean knowsExpiry = address.kind() != Address.Kind.ZOOKEEPER;
		@Nullable LockOperations store = knowsExpiry ? this.locks : null;
		return new WorkerThread(name, this.locks, this.holds,
				new CriticalSection(store, recorder, name, random, this.longHoldNext), random);
	}

	private void start(String name) {
		LockRequest own = LockRequest.of("instance-of-" + name).waitTime(PATIENCE);
		String instance = Awaitility.await()
			.atMost(PATIENCE)
			.ignoreExceptionsInstanceOf(LockException.class) // the machine may be busy
			.until(() -> instance(own), Objects::nonNull);
		System.out.println("instance " + instance + " at " + System.nanoTime());
		this.workerThreads.forEach(WorkerThread::start);
	}

	/** Return the instance id: the owner of a lock without the number of the attempt. */
	private @Nullable String instance(LockRequest own) {
		try (LockHandle hold = this.locks.acquire(own)) {
			String owner = this.locks.inspect(hold.name()).owner();
			return (owner != null) ? owner.substring(0, owner.indexOf(':')) : null;
		}
	}

	/**
	 * Requests a few hundred locks each second, with long leases, so that failed releases
	 * would be repeated for long.
	 */
	private void burst() {
		LockRequest waiting = LockRequest.of("burst").waitTime(Duration.ofMillis(100));
		LockRequest request = Operation.supported(this.locks, waiting.leaseTime(FaultRun.LEASE.multipliedBy(10)),
				waiting);
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
		this.workerThreads.forEach(WorkerThread::stop);
		List<Thread> threads = this.workerThreads.stream().map(WorkerThread::thread).toList();
		if (!becomesTrue(() -> threads.stream().noneMatch(Thread::isAlive))) {
			dump();
		}
		// fewer if one of the first timers was that of a slow start
		becomesTrue(() -> this.clock.timers() <= this.timersBefore);
		System.out.println("timers " + Math.max(0, this.clock.timers() - this.timersBefore));
	}

	private void close() {
		this.locks.close();
		becomesTrue(() -> threadsLeft().isEmpty());
		System.out.println("threads " + threadsLeft());
	}

	private Set<String> threadsLeft() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !this.threadsBefore.contains(thread))
			.map(Thread::getName)
			.filter(UNRELATED.negate())
			.collect(Collectors.toSet());
	}

	private void dump() {
		Thread.getAllStackTraces().forEach((thread, trace) -> {
			System.out.println(thread);
			List.of(trace).forEach((element) -> System.out.println("    " + element));
		});
		System.out.println("end of dump");
	}

	private static boolean becomesTrue(Callable<Boolean> condition) {
		try {
			Awaitility.await().pollDelay(Duration.ZERO).atMost(PATIENCE).until(condition);
			return true;
		}
		catch (ConditionTimeoutException ex) {
			return false;
		}
	}

}
