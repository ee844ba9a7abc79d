package io.github.lockboot.engine.support;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.LockActivity;
import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockState;
import io.github.lockboot.LockState.Holder;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.engine.store.LockStore;

/**
 * Finds out who holds a lock. The holds of this JVM are known here. Of other JVMs, a
 * store knows what it keeps beside the owner of a lock, or else the text that each JVM
 * writes about itself and its longest holds, from its first attempt on. Nobody waits for
 * that text to be written. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class LockHolders {

	/** How many of the holds of this JVM others may know about, the longest ones. */
	private static final int MOST_HOLDS = 100;

	/** How many holders of one lock are shown. */
	public static final int MOST_SHOWN = 10;

	private static final int LONGEST_PART = 200;

	private static final long SHORTEST_LIFE_MILLIS = TimeUnit.MINUTES.toMillis(1);

	/** How often a text is written again, as a server may lose it. */
	private static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(30);

	/** For how long a text is not read again. */
	private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final int MOST_TEXTS = 100;

	/** How often a JVM looks whether it has new holds. */
	private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** How long others wait for a lock before they ask who holds it. */
	private static final long SHORTEST_HOLD_MILLIS = 500;

	/** How long a caller that has waited in vain waits to learn why. */
	private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private final LockStore store;

	private final MonotonicClock clock;

	private final @Nullable String application;

	private final Function<@Nullable String, LockActivity> activity;

	private final LongSupplier attempts;

	private final BooleanSupplier attempting;

	/** Present if the store keeps descriptions of instances. */
	private final LockAdministration.@Nullable Instances instances;

	/** The looks in progress, by lock; concurrent callers share them. */
	private final Map<String, CompletableFuture<List<Holder>>> looks = new ConcurrentHashMap<>();

	/** The texts of other JVMs that were read last. */
	private final Map<String, Text> texts = new ConcurrentHashMap<>();

	/** How many attempts there were at the last look at the own holds. */
	private volatile long lastAttempts;

	private volatile long longestLeaseMillis;

	/** Present before the first look at the own holds. */
	private volatile @Nullable String host;

	private volatile String written = "";

	private volatile long writtenNanos;

	/**
	 * Create an instance, which looks at the own holds from now on, until the clock is
	 * closed.
	 * @param defaults contain the name of the application, or {@code null} to tell others
	 * nothing and to ask nothing
	 * @param activity returns what the queue of an attempt, or all queues, hold
	 * @param attempts returns how many attempts there were
	 * @param attempting returns whether there is an attempt that waits or owns a lock
	 */
	public LockHolders(LockStore store, MonotonicClock clock, LockDefaults defaults,
			Function<@Nullable String, LockActivity> activity, LongSupplier attempts, BooleanSupplier attempting) {
		this.store = store;
		this.clock = clock;
		this.application = defaults.application();
		this.longestLeaseMillis = defaults.leaseTime().toMillis();
		this.activity = activity;
		this.attempts = attempts;
		this.attempting = attempting;
		this.instances = (this.application != null) ? store.administration().instances() : null;
		if (this.instances != null) {
			lookLater();
		}
	}

	// ---- questions

	/** Return the state of a lock, with its holders. Fails only if the store does. */
	public CompletionStage<LockState> inspect(String lock) {
		return this.store.administration().inspect(lock).thenCompose((state) -> {
			if (this.application == null) {
				return CompletableFuture.completedStage(state.heldBy(List.of()));
			}
			// of several holders, only the lease that ends last is known
			Duration remaining = (state.holders() == 1) ? state.remaining() : null;
			List<CompletableFuture<Holder>> holders = state.heldBy()
				.stream()
				.map((holder) -> described(holder, remaining))
				.toList();
			return CompletableFuture.allOf(holders.toArray(CompletableFuture[]::new))
				.thenApply((done) -> state.heldBy(holders.stream().map(CompletableFuture::join).toList()));
		});
	}

	/**
	 * Return who holds a lock for which a caller has waited in vain. The list is empty if
	 * the store does not reply soon.
	 */
	public CompletableFuture<List<Holder>> ofBusy(String lock) {
		if (this.application == null) {
			return CompletableFuture.completedFuture(List.of());
		}
		CompletableFuture<List<Holder>> look = new CompletableFuture<>();
		CompletableFuture<List<Holder>> present = this.looks.putIfAbsent(lock, look);
		if (present != null) {
			return present;
		}
		CompletableFuture<LockState> state = LockStore.call(() -> inspect(lock)).toCompletableFuture().copy();
		this.clock.limit(state, LIMIT_NANOS, TimeoutException::new).whenComplete((found, failure) -> {
			this.looks.remove(lock, look);
			look.complete((failure == null) ? found.heldBy() : List.of());
		});
		return look;
	}

	private CompletableFuture<Holder> described(Holder holder, @Nullable Duration remaining) {
		String owner = holder.owner();
		int end = owner.indexOf(':');
		String instance = owner.substring(0, Math.max(end, 0));
		LockAdministration.Instances instances = this.instances;
		if (instance.equals(this.store.instance())) {
			return CompletableFuture.completedFuture(own(holder));
		}
		if (instance.isEmpty() || instances == null) {
			return CompletableFuture.completedFuture(holder);
		}
		return text(instances, instance)
			.handle((text, failure) -> (failure == null && !text.isEmpty()) ? parse(owner, text, remaining) : holder)
			.toCompletableFuture();
	}

	/** Return the text of another JVM, which many callers may ask for at once. */
	private CompletableFuture<String> text(LockAdministration.Instances instances, String instance) {
		long nowNanos = this.clock.nanoTime();
		Text text = this.texts.get(instance);
		if (text == null || nowNanos - text.readNanos() > FRESH_NANOS) {
			if (this.texts.size() >= MOST_TEXTS) {
				this.texts.clear();
			}
			text = new Text(LockStore.call(() -> instances.read(instance)).toCompletableFuture(), nowNanos);
			this.texts.put(instance, text);
		}
		return text.text();
	}

	/**
	 * Return a holder in this JVM. A lock that this JVM retains, or has just passed on,
	 * has no hold.
	 */
	private Holder own(Holder holder) {
		String owner = holder.owner();
		String host = this.host;
		LockActivity.Held held = this.activity.apply(owner)
			.held()
			.stream()
			.filter((hold) -> hold.owner().equals(owner))
			.findFirst()
			.orElse(null);
		return new Holder(owner, known(this.application), (host != null) ? host : holder.host(),
				ProcessHandle.current().pid(), (held != null) ? held.thread() : null,
				(held != null) ? held.reason() : null, (held != null) ? held.since() : null);
	}

	/** Return for how long a lease has not been renewed, as far as is known. */
	private static @Nullable Duration renewedAgo(@Nullable Long leaseMillis, @Nullable Duration remaining) {
		return (leaseMillis != null && remaining != null && leaseMillis >= remaining.toMillis())
				? Duration.ofMillis(leaseMillis - remaining.toMillis()) : null;
	}

	// ---- answers

	private void lookLater() {
		this.clock.schedule(this.clock.nanoTime() + PERIOD_NANOS, () -> {
			if (this.attempts.getAsLong() == this.lastAttempts && !this.attempting.getAsBoolean()) {
				lookLater();
			}
			else if (this.host != null) {
				look();
			}
			else {
				// on a thread of its own, because the name of the host may take seconds
				try (MonotonicClock.Workers once = this.clock.workers("lock-host", 2)) {
					once.execute(() -> {
						this.host = host();
						look();
					});
				}
			}
		});
	}

	/**
	 * Look at the own holds, and write a text if it has changed or is not new any more.
	 */
	private void look() {
		lookLater();
		this.lastAttempts = this.attempts.getAsLong();
		List<LockActivity.Held> holds = this.activity.apply(null).held();
		holds.forEach((held) -> this.longestLeaseMillis = Math.max(this.longestLeaseMillis, held.lease().toMillis()));
		String text = text(holds);
		long nowNanos = this.clock.nanoTime();
		long lifeMillis = Math.max(SHORTEST_LIFE_MILLIS, 2 * this.longestLeaseMillis);
		LockAdministration.Instances instances = this.instances;
		if (instances != null && (!text.equals(this.written) || nowNanos - this.writtenNanos >= REPEAT_NANOS)) {
			this.written = text;
			this.writtenNanos = nowNanos;
			LockStore.call(() -> instances.write(this.store.instance(), text, lifeMillis))
				.whenComplete((done, failure) -> this.written = (failure != null) ? "" : this.written);
		}
	}

	/**
	 * Return the text about this JVM: a line with host, process and application, and one
	 * with owner, milliseconds since 1970, thread, reason and milliseconds of the lease
	 * for each hold; separated by tabs.
	 */
	private String text(List<LockActivity.Held> holds) {
		Instant latest = this.clock.wallTime().minusMillis(SHORTEST_HOLD_MILLIS);
		String jvm = line(this.host, Long.toString(ProcessHandle.current().pid()), this.application);
		return jvm + holds.stream()
			.filter((held) -> held.since().isBefore(latest))
			.limit(MOST_HOLDS)
			.map((held) -> "\n" + line(held.owner(), Long.toString(held.since().toEpochMilli()), held.thread(),
					held.reason(), Long.toString(held.lease().toMillis())))
			.collect(Collectors.joining());
	}

	private static String line(@Nullable String... parts) {
		return Arrays.stream(parts)
			.map((part) -> (part != null) ? part.substring(0, Math.min(part.length(), LONGEST_PART)) : "")
			.map((part) -> part.replaceAll("\\p{Cntrl}", " "))
			.collect(Collectors.joining("\t"));
	}

	private static Holder parse(String owner, String text, @Nullable Duration remaining) {
		String[] lines = text.split("\n", -1);
		String[] jvm = parts(lines[0], 3);
		String[] hold = parts("", 5);
		for (String line : lines) {
			hold = line.startsWith(owner + "\t") ? parts(line, 5) : hold;
		}
		return new Holder(owner, known(jvm[2]), known(jvm[0]), number(jvm[1]), known(hold[2]), known(hold[3]),
				since(hold[1]), renewedAgo(number(hold[4]), remaining));
	}

	/** Return the parts of a line, of which a later version may write more. */
	private static String[] parts(String line, int count) {
		return Arrays.copyOf((line + "\t".repeat(count)).split("\t", -1), count);
	}

	private static @Nullable Instant since(String millis) {
		Long number = number(millis);
		return (number != null) ? Instant.ofEpochMilli(number) : null;
	}

	/** Return a number, or {@code null} if it is unknown. */
	public static @Nullable Long number(@Nullable String digits) {
		return (digits != null && digits.matches("\\d{1,18}")) ? Long.valueOf(digits) : null;
	}

	/** Return a text, or {@code null} if it is empty. */
	public static @Nullable String known(@Nullable String text) {
		return (text == null || text.isEmpty()) ? null : text;
	}

	/** Return the name of this machine. This method may block. */
	public static String host() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown";
		}
	}

	private record Text(CompletableFuture<String> text, long readNanos) {

	}

}
