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
import io.github.lockboot.sample.redis.RedisServer;

/**
 * Injects a fault into an instance or Redis that the sample has started.
 */
@RestController
class FaultController {

	private static final Duration FREEZE = Duration.ofSeconds(8);

	private static final Duration OUTAGE = Duration.ofSeconds(5);

	private static final Duration PATIENCE = Duration.ofSeconds(15);

	/**
	 * The signal follows 0.1 s later, after the answer. A holder that has acquired the
	 * lock so lately still holds it then.
	 */
	private static final Duration FRESH = Duration.ofMillis(120);

	/** Each instance is asked in turn, and looks for so long. */
	private static final Duration TURN = Duration.ofMillis(400);

	private final Fleet fleet;

	private final Launcher launcher;

	private final LockMonitor locks;

	private final ObjectProvider<RedisServer> redis;

	FaultController(Fleet fleet, Launcher launcher, LockMonitor locks, ObjectProvider<RedisServer> redis) {
		this.fleet = fleet;
		this.launcher = launcher;
		this.locks = locks;
		this.redis = redis;
	}

	@PostMapping("/instances")
	Map<String, String> start() {
		if (!this.launcher.launch()) {
			throw new ResponseStatusException(HttpStatus.CONFLICT,
					"This instance starts no further ones: it has been started by another one, or six are enough");
		}
		return Map.of("done", "Another instance starts; it takes some seconds");
	}

	@PostMapping("/faults/{fault}")
	Map<String, String> inject(@PathVariable Fault fault) {
		return Map.of("done", switch (fault) {
			case KILL_HOLDER -> "kill -9 " + injectIntoHolder("kill-holder") + ", which held the lock";
			case FREEZE_HOLDER ->
				injectIntoHolder("freeze-holder") + ", which held the lock, is frozen for " + FREEZE.toSeconds() + " s";
			case KILL_REDIS -> {
				redis().kill(OUTAGE);
				yield "kill -9 Redis, which starts again in " + OUTAGE.toSeconds() + " s";
			}
			case FREEZE_REDIS -> {
				redis().freeze(OUTAGE);
				yield "Redis is frozen for " + OUTAGE.toSeconds() + " s";
			}
			case CUT_CONNECTIONS -> {
				redis().cutConnections();
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
		throw new ResponseStatusException(HttpStatus.CONFLICT, "No instance that this one has started held the lock"
				+ " within " + PATIENCE.toSeconds() + " s. The instance of this page is spared: start another one");
	}

	private RedisServer redis() {
		return this.redis.stream()
			.findFirst()
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.CONFLICT,
					"This instance has not started Redis: use the page of the one that has, or the tools of yours"));
	}

	/**
	 * Injects a fault into this instance, if another one has started it and it has
	 * acquired the lock just now.
	 */
	@PostMapping("/faults/{fault}/here")
	boolean injectHere(@PathVariable Fault fault) {
		if (!this.launcher.isChild() || !awaitLock()) {
			return false;
		}
		long pid = ProcessHandle.current().pid();
		run(switch (fault) {
			case KILL_HOLDER -> "sleep 0.1; kill -9 " + pid;
			case FREEZE_HOLDER ->
				"sleep 0.1; kill -STOP " + pid + "; sleep " + FREEZE.toSeconds() + "; kill -CONT " + pid;
			default ->
				throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "Not a fault of an instance: " + fault);
		});
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
		Instant fresh = Instant.now().minus(FRESH);
		return this.locks.activity()
			.held()
			.stream()
			.anyMatch((held) -> held.name().startsWith("checkout:") && held.since().isAfter(fresh));
	}

	private static void run(String command) {
		try {
			new ProcessBuilder("sh", "-c", command).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
