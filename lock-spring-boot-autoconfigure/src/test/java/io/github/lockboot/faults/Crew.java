package io.github.lockboot.faults;

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
 * The workers of a run. Not thread-safe.
 */
final class Crew implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private static final List<String> OPTIONS = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
			"-Dlogback.configurationFile=io/github/lockboot/faults/worker-logback.xml");

	private final List<Member> members = new ArrayList<>();

	private final List<String> reports = new ArrayList<>();

	private final List<String> options;

	private final Address address;

	private final int ledgerPort;

	private final Random random;

	private int hired;

	Crew(int size, List<String> options, Address address, int ledgerPort, Random random) {
		this.options = Stream.concat(OPTIONS.stream(), options.stream()).toList();
		this.address = address;
		this.ledgerPort = ledgerPort;
		this.random = random;
		IntStream.range(0, size).mapToObj((index) -> launch()).toList().forEach(this::admit);
	}

	List<Member> members() {
		return this.members;
	}

	/**
	 * Return the names under which the ledger knows who works.
	 * @return the threads of all workers
	 */
	Stream<String> actors() {
		return this.members.stream()
			.flatMap((member) -> IntStream.range(0, Worker.CLERKS).mapToObj((index) -> member.name() + "/" + index));
	}

	/**
	 * Let a worker keep the next lock that it gets for longer than a lease.
	 * @return the worker, which works under that lock now
	 */
	Lingering letLinger() {
		Member member = this.members.get(this.random.nextInt(this.members.size()));
		member.process().send("linger");
		return new Lingering(member, member.process().awaitLine("^lingers in ", PATIENCE).split(" ")[2]);
	}

	/**
	 * Let all workers try for many locks for as long as an outage takes.
	 */
	void burst() {
		this.members.forEach((member) -> member.process().send("burst"));
	}

	/**
	 * Freeze a worker that fits, and look again: in the meantime it may have ceased to
	 * fit.
	 * @param fits what is wanted
	 * @return the worker, frozen; anyone if nobody fits for long
	 */
	Member freezeOne(Predicate<Member> fits) {
		for (int i = 0; i < 200; i++) {
			for (Member member : this.members) {
				if (fits.test(member)) {
					member.process().freeze();
					if (fits.test(member)) {
						return member;
					}
					member.process().thaw();
				}
			}
		}
		Member anyone = this.members.get(this.random.nextInt(this.members.size()));
		anyone.process().freeze();
		return anyone;
	}

	/**
	 * Let a new worker take the place of one that was killed.
	 * @param dead the one that was killed
	 */
	void replace(Member dead) {
		this.members.remove(dead);
		unexpected(dead).forEach(this.reports::add);
		admit(launch());
	}

	/**
	 * Let all workers end their work, but not give up their connections.
	 */
	void stop() {
		this.members.forEach((member) -> member.process().send("stop"));
		this.members.forEach((member) -> expect(member, "timers 0", member.process().awaitLine("^timers ", PATIENCE)));
	}

	/**
	 * Let all workers end.
	 */
	void dismiss() {
		this.members.forEach((member) -> member.process().send("close"));
		this.members.forEach((member) -> {
			expect(member, "left []", member.process().awaitLine("^left ", PATIENCE));
			expect(member, "0", Integer.toString(member.process().awaitExit(PATIENCE)));
		});
	}

	/**
	 * Return what workers said that none should say.
	 * @return sentences
	 */
	List<String> reports() {
		return Stream.concat(this.reports.stream(), this.members.stream().flatMap(Crew::unexpected)).toList();
	}

	/**
	 * Return all that the workers have said, and what their threads do at last.
	 * @return many lines
	 */
	String dump() {
		this.members.forEach((member) -> member.process().send("dump"));
		return this.members.stream()
			.map((member) -> member + "\n" + member.process().awaitLine("^that is all", PATIENCE) + "\n"
					+ String.join("\n", member.process().output()))
			.collect(Collectors.joining("\n"));
	}

	@Override
	public void close() {
		this.members.forEach((member) -> member.process().close());
	}

	private Launched launch() {
		String name = "w" + ++this.hired;
		return new Launched(name, JvmProcess.start(this.options, Worker.class, this.address.toString(),
				String.valueOf(this.ledgerPort), name, String.valueOf(this.random.nextLong())));
	}

	private void admit(Launched launched) {
		long before = System.nanoTime();
		String[] words = launched.process().awaitLine("^instance ", PATIENCE).split(" ");
		this.members.add(new Member(launched.name(), launched.process(), words[1]));
		long now = Long.parseLong(words[3]);
		if (now - System.nanoTime() > 0 || before - now > PATIENCE.toNanos()) {
			throw new IllegalStateException("JVMs of this machine do not share the time of System.nanoTime");
		}
	}

	private void expect(Member member, String wanted, String said) {
		if (!said.equals(wanted)) {
			this.reports.add(member.name() + " said '" + said + "' and not '" + wanted + "':\n"
					+ String.join("\n", member.process().output()));
		}
	}

	private static Stream<String> unexpected(Member member) {
		List<String> output = member.process().output();
		return output.stream().anyMatch((line) -> line.startsWith("unexpected"))
				? Stream.of(member.name() + " met something unexpected:\n" + String.join("\n", output))
				: Stream.empty();
	}

	private record Launched(String name, JvmProcess process) {

	}

	/**
	 * A worker in the midst of its work.
	 *
	 * @param member the worker
	 * @param lock the lock that it holds
	 */
	record Lingering(Member member, String lock) {

	}

	/**
	 * A worker.
	 *
	 * @param name name in the run
	 * @param process its JVM
	 * @param instance the name by which the store knows it
	 */
	record Member(String name, JvmProcess process, String instance) {

		boolean is(String owner) {
			return owner.startsWith(this.instance + ":");
		}

	}

}
