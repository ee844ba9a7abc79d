package io.github.lockboot.zookeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.admin.ZooKeeperAdmin;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.fixture.EnsembleServer;
import io.github.lockboot.fixture.TestEnsemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Servers that leave and join the ensemble, and files that a killed server has left half
 * written: no lock is lost.
 */
@Timeout(120)
@Tag("long")
class MaintainedEnsembleTests {

	private final TestEnsemble ensemble = TestEnsemble.started(3,
			List.of("reconfigEnabled=true", "standaloneEnabled=false", "skipACL=yes"));

	private final ZookeeperLockTemplate locks = new ZookeeperLockTemplate(
			ZookeeperLockSettings.of(this.ensemble.connectString())
				.withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(10)),
			List.of());

	private final LockHandle hold = this.locks.acquire("maintained");

	@AfterEach
	void close() {
		this.locks.close();
		this.ensemble.close();
	}

	@Test
	@SuppressWarnings("try") // an interrupt ends the test
	void locksAreKeptWhileEachServerLeavesAndJoinsTheEnsemble() throws Exception {
		try (ZooKeeperAdmin admin = new ZooKeeperAdmin(this.ensemble.connectString(), 20_000, (event) -> {
		})) {
			List<String> members = new String(admin.getConfig(false, new Stat())).lines()
				.filter((line) -> line.startsWith("server."))
				.toList();
			for (String member : members) {
				String id = member.substring("server.".length(), member.indexOf('='));
				reconfigure(admin, null, id);
				this.locks.acquire("while " + id + " is absent").close();
				String address = this.ensemble.servers().get(Integer.parseInt(id) - 1).address();
				reconfigure(admin, member.replaceFirst(";.*", "") + ";" + address, null);
				this.locks.acquire("after " + id + " has joined").close();
			}
		}
		assertThat(this.hold.isHeld()).isTrue();
	}

	/**
	 * Repeat a change whose reply may be lost, since a server that leaves closes its
	 * connections.
	 */
	private static void reconfigure(ZooKeeperAdmin admin, @Nullable String joining, @Nullable String leaving) {
		await().ignoreException(KeeperException.ConnectionLossException.class)
			.until(() -> admin.reconfigure(joining, leaving, null, -1, new Stat()) != null);
	}

	@Test
	void locksAreKeptThoughEachServerIsKilledInTheMiddleOfAWrite() throws IOException {
		for (EnsembleServer server : this.ensemble.servers()) {
			Path log = newestLog(server);
			server.kill();
			tear(log);
			server.start();
			this.ensemble.awaitServing();
			this.locks.acquire("after " + log.getFileName()).close();
		}
		assertThat(this.hold.isHeld()).isTrue();
	}

	/**
	 * Leave the begin of a record after the last whole one: a log is filled up with
	 * zeros.
	 */
	private static void tear(Path log) throws IOException {
		byte[] bytes = Files.readAllBytes(log);
		int end = bytes.length;
		while (bytes[end - 1] == 0) {
			end--;
		}
		try (FileChannel file = FileChannel.open(log, StandardOpenOption.WRITE)) {
			file.write(ByteBuffer.wrap(new byte[] { 0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0, 60, 7, 7, 7 }), end);
		}
	}

	private static Path newestLog(EnsembleServer server) throws IOException {
		try (Stream<Path> files = Files.list(files(server))) {
			return files.filter((file) -> file.getFileName().toString().startsWith("log."))
				.max(Comparator.comparingLong((file) -> file.toFile().lastModified()))
				.orElseThrow();
		}
	}

	/** Return where a server keeps its snapshots and logs. */
	static Path files(EnsembleServer server) {
		return server.query("conf")
			.lines()
			.filter((line) -> line.startsWith("dataDir="))
			.map((line) -> Path.of(line.substring("dataDir=".length())))
			.findFirst()
			.orElseThrow();
	}

}
