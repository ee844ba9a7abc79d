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

import org.jspecify.annotations.Nullable;

/**
 * A lock that is broken on purpose, by a change of its scripts or by a flaw of its store,
 * and what the suite is to say of it. A worker reads a broken script because it lies in
 * front of the whole one on the class path.
 */
enum Mutant {

	RELEASES_WHAT_OTHERS_OWN("leases are valid at once",
			new Change("release-last.lua", "if holder == ARGV[1] and ARGV[3]", "if holder and ARGV[3]"),
			new Change("release.lua", "if holder == owner then", "if holder and holder ~= 'shared' then")),

	RENEWS_WHAT_OTHERS_OWN("was not told that its lease was over", StandaloneTopology::withOwnClock,
			new Change("renew.lua", "if holder ~= owner and holder ~= 'shared' and holder ~= 'shared ' .. owner then",
					"if false then")),

	/** Nobody would notice if the time never went back. */
	TAKES_TOKENS_FROM_THE_TIME_ONLY("A token ", StandaloneTopology::withOwnClock,
			new Change("acquire-free.lua", "if last < now then", "if true then"),
			new Change("acquire.lua", "token = math.max(token + 1, now)", "token = now"),
			new Change("handover.lua", "math.max(last + 1, now)", "now")),

	LETS_TOKENS_RUN_AHEAD("lead the time by",
			new Change("constants.lua", "ahead, few = 600000, 2000, 5000, 300, 1000,",
					"ahead, few = 600000, 2000, 5000, 300, 60000,"),
			new Change("acquire-free.lua", "math.min(ARGV[2], ahead)", "ahead")),

	GIVES_OUT_ONE_PERMIT_TOO_MANY("leases are valid at once",
			new Change("acquire.lua", "holders < limit", "holders <= limit"),
			new Change("handover.lua", "holders >= limit", "holders > limit")),

	SHARES_WHAT_IS_HELD_EXCLUSIVELY("leases are valid at once",
			new Change("acquire.lua", "if (not holder and not more) or holder == owner or (",
					"if (not holder and not more) or holder == owner or limit > 1 or (")),

	LETS_OTHERS_IN_WHEN_IT_BEGINS_TO_SHARE("leases are valid at once",
			new Change("downgrade.lua", "share(owner, now, lease)", ""),
			new Change("downgrade.lua", "handOver(1, used", "handOver(0, used")),

	/** The key would outlive a holder that dies. */
	TAKES_A_LOCK_WITHOUT_AN_END("makes progress|keys are left",
			new Change("acquire-free.lua", "call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])",
					"call('SET', KEYS[1], ARGV[1])"),
			new Change("acquire.lua", "redis.call('SET', lock, owner, 'PX', lease)", "redis.call('SET', lock, owner)"),
			new Change("renew.lua", "redis.call('PEXPIRE', lock, lease)", "")),

	ENDS_A_LOCK_TOO_EARLY("A lease is longer than its key lives",
			new Change("acquire-free.lua", "call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])",
					"call('SET', KEYS[1], ARGV[1], 'PX', math.floor(ARGV[2] / 2))")),

	TELLS_NOBODY_WHO_IS_GRANTED_A_LOCK("A lock is handed over slowly|makes progress",
			new Change("handover.lua", "if notify(waiter, token, reserved, now, claim, channels) then",
					"if true then")),

	SERVES_THE_LAST_WHO_CAME_FIRST("A fair lock was given to",
			new Change("queue.lua", "or redis.call('RPUSH', queue, waiter)", "or redis.call('LPUSH', queue, waiter)")),

	RENEWS_NOTHING("leases are valid at once|A lease is longer than its key lives", Flaw.RENEWS_NOTHING),

	HIDES_LOSSES("was not told that its lease was over", StandaloneTopology::withOwnClock, Flaw.HIDES_LOSSES),

	OWNS_WHAT_OTHERS_OWN("leases are valid at once|A lease is longer than its key lives", Flaw.OWNS_WHAT_OTHERS_OWN),

	GIVES_OUT_THE_TOKEN_BEFORE("A token ", StandaloneTopology::withOwnClock, Flaw.GIVES_OUT_THE_TOKEN_BEFORE);

	private static final String FOLDER = "io/github/lockboot/redis/";

	private final Pattern finding;

	private final List<Change> changes;

	private final @Nullable Flaw flaw;

	private final Supplier<Optional<Topology>> topology;

	Mutant(String finding, Change... changes) {
		this(finding, () -> Optional.of(new StandaloneTopology()), changes);
	}

	Mutant(String finding, Flaw flaw) {
		this(finding, () -> Optional.of(new StandaloneTopology()), flaw);
	}

	Mutant(String finding, Supplier<Optional<Topology>> topology, Change... changes) {
		this(finding, topology, null, changes);
	}

	Mutant(String finding, Supplier<Optional<Topology>> topology, @Nullable Flaw flaw, Change... changes) {
		this.finding = Pattern.compile(finding);
		this.topology = topology;
		this.flaw = flaw;
		this.changes = List.of(changes);
	}

	/**
	 * Return what the suite is to say.
	 * @return what to find in the sentence
	 */
	Pattern finding() {
		return this.finding;
	}

	/**
	 * Start servers on which it shows.
	 * @return the servers, or nothing if this machine can't do that
	 */
	Optional<Topology> topology() {
		return this.topology.get();
	}

	/**
	 * Break the scripts or the store.
	 * @param folder where to write scripts
	 * @return options of a JVM that has them
	 */
	List<String> options(Path folder) {
		this.changes.forEach((change) -> change.writeTo(folder.resolve(FOLDER)));
		return (this.flaw != null) ? List.of("-D" + Flaw.PROPERTY + "=" + this.flaw)
				: List.of("-cp", folder + File.pathSeparator + System.getProperty("java.class.path"));
	}

	/**
	 * A change of a script.
	 *
	 * @param file name of the script
	 * @param whole what it says
	 * @param broken what it is to say
	 */
	private record Change(String file, String whole, String broken) {

		void writeTo(Path folder) {
			try (InputStream stream = Objects
				.requireNonNull(Mutant.class.getResourceAsStream("/" + FOLDER + this.file))) {
				Path target = Files.createDirectories(folder).resolve(this.file);
				String text = Files.exists(target) ? Files.readString(target)
						: new String(stream.readAllBytes(), StandardCharsets.UTF_8);
				if (!text.contains(this.whole)) {
					throw new IllegalStateException(this.file + " does not say '" + this.whole + "' any more");
				}
				Files.writeString(target, text.replace(this.whole, this.broken));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
