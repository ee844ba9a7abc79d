package io.github.lockboot.faults;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.lockboot.fixture.JvmProcess;

/**
 * The worker processes of a run. Not thread-safe.
 */
final class Workers implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private static final List<String> OPTIONS = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
			"-Dlogback.configurationFile=io/github/lockboot/faults/worker-logback.xml");

	private static final List<String> TIME_ZONES = List.of("Asia/Kathmandu", "America/St_Johns", "UTC");

	/** Instances with different ones may use one table. */
	private static final List<String> STRATEGIES = List.of("OPTIMISTIC", "PESSIMISTIC");

	private final List<WorkerProcess> processes = new ArrayList<>();

	private final List<String> reports = new ArrayList<>();

	private final Address address;

	private final int recorderPort;

	private final Random random;

	private int launched;

	Workers(int size, Address address, int recorderPort, Random random) {
		this.address = address;
		this.recorderPort = recorderPort;
		this.random = random;
		IntStream.range(0, size).mapToObj((index) -> launch()).toList().forEach(this::add);
	}

	List<WorkerProcess> processes() {
		return this.processes;
	}

	/** Return the names of the threads of all processes in the history. */
	Stream<String> threadNames() {
		return this.processes.stream()
			.flatMap((worker) -> IntStream.range(0, Worker.THREADS).mapToObj((index) -> worker.name() + "/" + index));
	}

	/**
	 * Let a worker hold the next contended lock that it acquires for longer than a lease.
	 */
	LongHold startLongHold() {
		WorkerProcess worker = this.processes.get(this.random.nextInt(this.processes.size()));
		worker.jvm().send("hold-long");
		return new LongHold(worker, worker.jvm().awaitLine("^long-hold of ", PATIENCE).split(" ")[2]);
	}

	/**
	 * Let all workers request many locks for as long as an outage takes, except those
	 * that another fault has killed.
	 */
	void burst() {
		this.processes.forEach((worker) -> {
			try {
				worker.jvm().send("burst");
			}
			catch (UncheckedIOException ex) {
				if (worker.jvm().awaitExit(PATIENCE) == 0) {
					throw ex;
				}
			}
		});
	}

	/**
	 * Freeze a worker that meets a condition. The condition is checked again afterwards,
	 * because the worker may have gone on in between.
	 * @return the frozen worker; any worker if none met the condition for long
	 */
	WorkerProcess freezeOne(Predicate<WorkerProcess> condition) {
		for (int i = 0; i < 200; i++) {
			for (WorkerProcess worker : this.processes) {
				if (condition.test(worker)) {
					worker.jvm().freeze();
					if (condition.test(worker)) {
						return worker;
					}
					worker.jvm().thaw();
				}
			}
		}
		WorkerProcess anyone = this.processes.get(this.random.nextInt(this.processes.size()));
		anyone.jvm().freeze();
		return anyone;
	}

	/** Start a new worker in place of one that was killed. */
	void replace(WorkerProcess killed) {
		this.processes.remove(killed);
		unexpected(killed).forEach(this.reports::add);
		add(launch());
	}

	/**
	 * Stop the threads of all workers, but keep their connections open.
	 */
	void stop() {
		this.processes.forEach((worker) -> worker.jvm().send("stop"));
		this.processes.forEach((worker) -> expect(worker, "timers 0", worker.jvm().awaitLine("^timers ", PATIENCE)));
	}

	/**
	 * Close the connections of all workers and end their processes.
	 */
	void shutDown() {
		this.processes.forEach((worker) -> worker.jvm().send("close"));
		this.processes.forEach((worker) -> {
			expect(worker, "threads []", worker.jvm().awaitLine("^threads ", PATIENCE));
			expect(worker, "0", Integer.toString(worker.jvm().awaitExit(PATIENCE)));
		});
	}

	/**
	 * Return the unexpected output of workers: a sentence for each problem, with the
	 * output.
	 */
	List<String> reports() {
		return Stream.concat(this.reports.stream(), this.processes.stream().flatMap(Workers::unexpected)).toList();
	}

	/** Return the whole output of the workers, and dumps of their threads. */
	String dump() {
		this.processes.forEach((worker) -> worker.jvm().send("dump"));
		return this.processes.stream()
			.map((worker) -> worker + "\n" + worker.jvm().awaitLine("^end of dump", PATIENCE) + "\n"
					+ String.join("\n", worker.jvm().output()))
			.collect(Collectors.joining("\n"));
	}

	@Override
	public void close() {
		this.processes.forEach((worker) -> worker.jvm().close());
	}

	private Launched launch() {
		String name = "w" + ++this.launched;
		List<String> options = new ArrayList<>(OPTIONS);
		options.add("-Duser.timezone=" + TIME_ZONES.get(this.launched % TIME_ZONES.size()));
		options.add("-D" + Worker.STRATEGY + "="
				+ System.getProperty(Worker.STRATEGY, STRATEGIES.get(this.launched % STRATEGIES.size())));
		return new Launched(name, JvmProcess.start(options, Worker.class, this.address.toString(),
				String.valueOf(this.recorderPort), name, String.valueOf(this.random.nextLong())));
	}

	private void add(Launched launched) {
		long before = System.nanoTime();
		String[] words = launched.process().awaitLine("^instance ", PATIENCE).split(" ");
		this.processes.add(new WorkerProcess(launched.name(), launched.process(), words[1]));
		long now = Long.parseLong(words[3]);
		if (now - System.nanoTime() > 0 || before - now > PATIENCE.toNanos()) {
			throw new IllegalStateException("JVMs of this machine do not share the time of System.nanoTime");
		}
	}

	private void expect(WorkerProcess worker, String expected, String actual) {
		if (!actual.equals(expected)) {
			this.reports.add(worker.name() + " reported '" + actual + "' instead of '" + expected + "':\n"
					+ String.join("\n", worker.jvm().output()));
		}
	}

	private static Stream<String> unexpected(WorkerProcess worker) {
		List<String> output = worker.jvm().output();
		return output.stream().anyMatch((line) -> line.startsWith("unexpected"))
				? Stream.of(worker.name() + " reported a problem:\n" + String.join("\n", output)) : Stream.empty();
	}

	private record Launched(String name, JvmProcess process) {

	}

	/** A worker that holds a lock for longer than a lease. */
	record LongHold(WorkerProcess worker, String lock) {

	}

	/**
	 * A worker.
	 *
	 * @param instance its instance id, with which the owners of its locks begin
	 */
	record WorkerProcess(String name, JvmProcess jvm, String instance) {

		boolean is(String owner) {
			return owner.startsWith(this.instance + ":");
		}

	}

}
