package io.github.lockboot.sample.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import io.github.lockboot.LockMonitor;
import io.github.lockboot.sample.cluster.Fleet;
import io.github.lockboot.sample.cluster.Launcher;
import io.github.lockboot.sample.feed.EventFeed;
import io.github.lockboot.sample.redis.RedisServer;

/**
 * Injects a fault into an instance or Redis that the sample has started.
 */
@RestController
record FaultController(Fleet fleet, Launcher launcher, LockMonitor locks, ObjectProvider<RedisServer> redis,
		HolderFreeze freeze, EventFeed feed) {

	private static final Duration FREEZE = Duration.ofSeconds(8);

	private static final Duration OUTAGE = Duration.ofSeconds(5);

	private static final Duration PATIENCE = Duration.ofSeconds(15);

	/**
	 * How long ago the lock may have been acquired: the holder has read the stock, and
	 * will not have sold the piece when the fault comes.
	 */
	private static final Duration MIN_AGE = Duration.ofMillis(50);

	private static final Duration MAX_AGE = Duration.ofMillis(250);

	/** How long an instance waits for a holder when it is asked. */
	private static final Duration TURN = Duration.ofMillis(400);

	@PostMapping("/instances")
	Map<String, String> start() {
		if (!this.launcher.launch()) {
			throw new ResponseStatusException(HttpStatus.CONFLICT,
					"This instance starts no further instances: another instance has started it, or six are running");
		}
		return Map.of("done", "Another instance starts; it takes some seconds");
	}

	@PostMapping("/faults/{fault}")
	Map<String, String> inject(@PathVariable Fault fault) {
		return Map.of("done", switch (fault) {
			case KILL_HOLDER -> injectIntoHolder("kill-holder") + " holds the lock and is killed";
			case FREEZE_HOLDER -> injectIntoHolder("freeze-holder") + " holds the lock and is frozen for "
					+ FREEZE.toSeconds() + " s before its write reaches the database";
			case KILL_REDIS -> {
				startedRedis().kill(OUTAGE);
				yield "kill -9 Redis, which starts again in " + OUTAGE.toSeconds() + " s";
			}
			case FREEZE_REDIS -> {
				startedRedis().freeze(OUTAGE);
				yield "Redis is frozen for " + OUTAGE.toSeconds() + " s";
			}
			case CUT_CONNECTIONS -> {
				startedRedis().cutConnections();
				yield "Redis has closed all connections";
			}
		});
	}

	private String injectIntoHolder(String fault) {
		Instant end = Instant.now().plus(PATIENCE);
		List<String> others = this.fleet.others();
		while (Instant.now().isBefore(end) && !others.isEmpty()) {
			for (String instance : others) {
				if (this.fleet.ask(instance, "/faults/" + fault + "/here")) {
					return instance;
				}
			}
		}
		throw new ResponseStatusException(HttpStatus.CONFLICT,
				"No instance that this one has started held the lock" + " within " + PATIENCE.toSeconds()
						+ " s. The instance of this page is never broken: start another one");
	}

	private RedisServer startedRedis() {
		return this.redis.stream()
			.findFirst()
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.CONFLICT,
					"This instance has not started Redis: use the page of the instance that has, or the tools of your Redis"));
	}

	/**
	 * Injects a fault into this instance if another one has started it and it has just
	 * acquired the lock.
	 */
	@PostMapping("/faults/{fault}/here")
	boolean injectHere(@PathVariable Fault fault) {
		if (!this.launcher.isChild() || !awaitLock()) {
			return false;
		}
		long pid = ProcessHandle.current().pid();
		switch (fault) {
			// after the answer to this request
			case KILL_HOLDER -> strike("is killed (kill -9)", "sleep 0.1; kill -9 " + pid);
			case FREEZE_HOLDER -> this.freeze.beforeNextToken(() -> strike(
					"is frozen for " + FREEZE.toSeconds() + " s (kill -STOP) before its write reaches the database",
					"kill -STOP " + pid + "; sleep " + FREEZE.toSeconds() + "; kill -CONT " + pid)
				.onExit()
				.join());
			default ->
				throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "Not a fault of an instance: " + fault);
		}
		return true;
	}

	private boolean awaitLock() {
		Instant end = Instant.now().plus(TURN);
		while (!holdsLock() && Instant.now().isBefore(end)) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
		return holdsLock();
	}

	private boolean holdsLock() {
		Instant now = Instant.now();
		return this.locks.activity()
			.held()
			.stream()
			.anyMatch((held) -> held.name().startsWith("checkout:") && held.since().isBefore(now.minus(MIN_AGE))
					&& held.since().isAfter(now.minus(MAX_AGE)));
	}

	/** Tell the watchers what is going to happen, and run the command that does it. */
	private Process strike(String text, String command) {
		this.feed.publish("fault", Map.of("text", text));
		this.feed.send();
		try {
			return new ProcessBuilder("sh", "-c", command).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
