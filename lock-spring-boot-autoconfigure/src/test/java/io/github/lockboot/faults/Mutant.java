package io.github.lockboot.faults;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A lock that is broken on purpose, by a change of its scripts, or by a flaw of its
 * store, and the violation that the suite has to report. A worker reads the changed
 * script because it precedes the original on the class path.
 */
enum Mutant {

	RELEASES_LOCKS_OF_OTHERS("leases are valid at once",
			new Change("release-owned.lua", "if holder == ARGV[a + 1] and", "if holder and"),
			new Change("release.lua", "if holder == owner then", "if holder and holder ~= 'shared' then")),

	RENEWS_LOCKS_OF_OTHERS("was not notified of a lost lease", StandaloneTopology::withAdjustableClock,
			new Change("renew.lua", "if holder ~= owner and holder ~= 'shared' and holder ~= 'shared ' .. owner then",
					"if false then")),

	/** Detected only if the time is set back. */
	DERIVES_TOKENS_FROM_THE_TIME_ONLY("A token ", StandaloneTopology::withAdjustableClock,
			new Change("acquire-free.lua", "if last < now then", "if true then"),
			new Change("acquire.lua", "token = math.max(token + 1, now)", "token = now"),
			new Change("handover.lua", "math.max(last + 1, now)", "now")),

	LETS_TOKENS_RUN_AHEAD("ahead of the time by",
			new Change("constants.lua", "ahead, few = 600000, 2000, 5000, 300, 1000,",
					"ahead, few = 600000, 2000, 5000, 300, 60000,"),
			new Change("acquire-free.lua", "math.min(lease, ahead)", "ahead")),

	GRANTS_ONE_PERMIT_TOO_MANY("leases are valid at once",
			new Change("acquire.lua", "holders < limit", "holders <= limit"),
			new Change("handover.lua", "holders >= limit", "holders > limit")),

	SHARES_EXCLUSIVE_LOCKS("leases are valid at once",
			new Change("acquire.lua", "if (not holder and not more) or holder == owner or (",
					"if (not holder and not more) or holder == owner or limit > 1 or (")),

	DOWNGRADES_WITHOUT_KEEPING_A_SHARE("leases are valid at once",
			new Change("downgrade.lua", "share(owner, now, lease)", ""),
			new Change("downgrade.lua", "handOver(1, used", "handOver(0, used")),

	/** The key outlives a killed holder. */
	SETS_NO_EXPIRY("make progress|keys are left",
			new Change("acquire-free.lua", "call('SET', KEYS[k + 1], ARGV[a + 1], 'PX', lease)",
					"call('SET', KEYS[k + 1], ARGV[a + 1])"),
			new Change("acquire.lua", "redis.call('SET', lock, owner, 'PX', lease)", "redis.call('SET', lock, owner)"),
			new Change("renew.lua", "redis.call('PEXPIRE', lock, lease)", "")),

	EXPIRES_TOO_EARLY("A lease ends after its key expires",
			new Change("acquire-free.lua", "call('SET', KEYS[k + 1], ARGV[a + 1], 'PX', lease)",
					"call('SET', KEYS[k + 1], ARGV[a + 1], 'PX', math.floor(lease / 2))")),

	SENDS_NO_GRANT("A lock is handed over slowly|make progress",
			new Change("handover.lua", "if notify(waiter, token, reserved, now, claim, channels) or polls then",
					"if true then")),

	SERVES_THE_LAST_WAITER_FIRST("A fair lock was granted to",
			new Change("queue.lua", "or redis.call('RPUSH', queue, waiter)", "or redis.call('LPUSH', queue, waiter)")),

	SKIPS_RENEWALS("leases are valid at once|A lease ends after its key expires", Flaw.SKIPS_RENEWALS),

	HIDES_LOSSES("was not notified of a lost lease", StandaloneTopology::withAdjustableClock, Flaw.HIDES_LOSSES),

	GRANTS_HELD_LOCKS("leases are valid at once|A lease ends after its key expires", Flaw.GRANTS_HELD_LOCKS),

	LOSES_RELEASES("A lock is handed over slowly", Flaw.LOSES_RELEASES),

	RENEWS_NO_RETAINED_LOCK("A lock was held while another JVM retained it", Flaw.SKIPS_RENEWALS),

	NEVER_SHORTENS_A_LEASE("that retained a lock delayed others for too long",
			new Change("renew.lua", "redis.call('PEXPIRE', lock, lease)",
					"redis.call('PEXPIRE', lock, math.max(lease, redis.call('PTTL', lock)))")),

	GRANTS_THE_PREVIOUS_TOKEN("A token ", StandaloneTopology::withAdjustableClock, Flaw.GRANTS_THE_PREVIOUS_TOKEN);

	private static final String FOLDER = "io/github/lockboot/redis/";

	private final Pattern violation;

	private final List<Change> changes;

	private final List<String> options;

	private final Supplier<Optional<Topology>> topology;

	Mutant(String violation, Change... changes) {
		this(violation, () -> Optional.of(new StandaloneTopology()), changes);
	}

	Mutant(String violation, Flaw flaw) {
		this(violation, () -> Optional.of(new StandaloneTopology()), flaw);
	}

	Mutant(String violation, Supplier<Optional<Topology>> topology, Flaw flaw) {
		this(violation, topology, List.of("-D" + Flaw.PROPERTY + "=" + flaw));
	}

	Mutant(String violation, Supplier<Optional<Topology>> topology, Change... changes) {
		this(violation, topology, List.of(), changes);
	}

	Mutant(String violation, Supplier<Optional<Topology>> topology, List<String> options, Change... changes) {
		this.violation = Pattern.compile(violation);
		this.topology = topology;
		this.options = options;
		this.changes = List.of(changes);
	}

	/**
	 * Return the violation that the suite has to report.
	 * @return a pattern of its text
	 */
	Pattern violation() {
		return this.violation;
	}

	/**
	 * Start servers on which the suite detects it.
	 * @return the servers, or nothing if this machine does not support them
	 */
	Optional<Topology> topology() {
		return this.topology.get();
	}

	/**
	 * Write the changed scripts, or choose the flaw.
	 * @param folder the folder for scripts
	 * @return options of a JVM that uses them
	 */
	List<String> options(Path folder) {
		this.changes.forEach((change) -> change.writeTo(folder.resolve(FOLDER)));
		return !this.options.isEmpty() ? this.options
				: List.of("-cp", folder + File.pathSeparator + System.getProperty("java.class.path"));
	}

	/**
	 * A change of a script.
	 *
	 * @param file name of the script
	 * @param original the original text
	 * @param broken the text that replaces it
	 */
	private record Change(String file, String original, String broken) {

		void writeTo(Path folder) {
			try (InputStream stream = Objects
				.requireNonNull(Mutant.class.getResourceAsStream("/" + FOLDER + this.file))) {
				Path target = Files.createDirectories(folder).resolve(this.file);
				String text = Files.exists(target) ? Files.readString(target)
						: new String(stream.readAllBytes(), StandardCharsets.UTF_8);
				if (!text.contains(this.original)) {
					throw new IllegalStateException(this.file + " no longer contains '" + this.original + "'");
				}
				Files.writeString(target, text.replace(this.original, this.broken));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
